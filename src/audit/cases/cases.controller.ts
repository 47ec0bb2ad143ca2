import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import type { SuccessFields } from '../../http/envelope.js';
import { NoParameters, OnlyParameters, Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../../http/parameters/path-parameters.js';
import { decideChangeCase, decideCloseCase, decideLiftHold, decidePlaceHold } from './case.decide.js';
import { caseObject, caseReply, casesReply, createdCaseReply } from './cases.replies.js';
import { Cases } from './cases.js';
import { caseChange, ChangeCaseParameters, CreateCaseParameters, newCase } from './cases.parameters.js';
import { Reply } from '../../http/replies/reply.decorator.js';

/** Cases: what auditors collect, place under legal hold and export. */
@ApiTags('audit')
@Controller('audit/cases')
export class CasesController {
  constructor(private readonly cases: Cases) {}

  /** Lists the cases, closed ones included, in the order in which they were created. For auditors. */
  @Reply(casesReply)
  @Get()
  async list(
    @CurrentCaller() caller: Caller,
    @OnlyParameters(NoParameters) _parameters: NoParameters,
  ): Promise<SuccessFields> {
    return { cases: (await this.cases.all({ caller })).map(caseObject) };
  }

  /** Begins a case. For auditors. */
  @Reply(createdCaseReply)
  @Post()
  async create(
    @CurrentCaller() caller: Caller,
    @Parameters(CreateCaseParameters) parameters: CreateCaseParameters,
  ): Promise<SuccessFields> {
    return { id: await this.cases.create({ caller }, newCase(parameters)) };
  }

  /** Reads a case. For auditors. */
  @Reply(caseReply)
  @Get(':case_id')
  async read(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('case_id') caseId: number,
    @OnlyParameters(NoParameters) _parameters: NoParameters,
  ): Promise<SuccessFields> {
    return { case: caseObject(await this.cases.get({ caller }, caseId)) };
  }

  /**
   * Changes the name, the description or the scope of a case: what is left out stays. While a hold stands, its scope stays. With
   * `revision`, somebody else's change that came first is not overwritten: this one is refused. For auditors.
   */
  @Reply(caseReply)
  @Patch(':case_id')
  async change(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('case_id') caseId: number,
    @Parameters(ChangeCaseParameters) parameters: ChangeCaseParameters,
  ): Promise<SuccessFields> {
    const change = caseChange(parameters);
    this.cases.refuseUnknown(change.scope ?? {});
    const changed = await this.cases.change({ caller }, caseId, (state, asking) =>
      decideChangeCase(state, change, asking),
    );
    return { case: caseObject(changed) };
  }

  /** Closes a case for good: it can be read, and not changed any more. A hold has to be lifted before. For auditors. */
  @Reply(caseReply)
  @Post(':case_id/close')
  async close(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('case_id') caseId: number,
  ): Promise<SuccessFields> {
    return { case: caseObject(await this.cases.change({ caller }, caseId, decideCloseCase)) };
  }

  /**
   * Places a legal hold: from now on the keys of what the case covers are kept, whoever deletes it, and whoever it is about cannot be
   * erased. Clients see what is deleted as deleted. For auditors.
   */
  @Reply(caseReply)
  @Post(':case_id/hold')
  async hold(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('case_id') caseId: number,
  ): Promise<SuccessFields> {
    return { case: caseObject(await this.cases.change({ caller }, caseId, decidePlaceHold)) };
  }

  /** Lifts the legal hold: what was to be erased while it stood, and no other hold keeps, is erased. For auditors. */
  @Reply(caseReply)
  @Delete(':case_id/hold')
  async lift(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('case_id') caseId: number,
  ): Promise<SuccessFields> {
    return { case: caseObject(await this.cases.change({ caller }, caseId, decideLiftHold)) };
  }
}
