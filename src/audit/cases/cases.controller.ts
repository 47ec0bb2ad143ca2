import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { DirectoryFollower } from '../../access/directory-follower.js';
import { ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import type { SuccessFields } from '../../http/envelope.js';
import { NoParameters, OnlyParameters, Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../../http/parameters/path-parameters.js';
import type { Case } from './case.state.js';
import { decideChangeCase, decideCloseCase, decideLiftHold, decidePlaceHold } from './case.decide.js';
import { caseReply, casesReply, createdCaseReply, namedCaseObject } from './cases.replies.js';
import { Cases } from './cases.js';
import {
  caseChange,
  ChangeCaseParameters,
  CreateCaseParameters,
  newCase,
  ReadCaseParameters,
} from './cases.parameters.js';
import { Reply } from '../../http/replies/reply.decorator.js';

/** Cases: what auditors collect, place under legal hold and export. */
@ApiTags('audit')
@Controller('audit/cases')
export class CasesController {
  constructor(
    private readonly cases: Cases,
    private readonly follower: DirectoryFollower,
  ) {}

  /** Lists all cases, including closed ones, in the order in which they were created. For auditors. */
  @Reply(casesReply)
  @Get()
  async list(
    @CurrentCaller() caller: Caller,
    @OnlyParameters(NoParameters) _parameters: NoParameters,
  ): Promise<SuccessFields> {
    return { cases: (await this.cases.all({ caller })).map((one) => this.shown(one)) };
  }

  /** Creates a case. For auditors. */
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
    return { case: this.shown(await this.cases.get({ caller }, caseId)) };
  }

  /**
   * Changes the name, the description or the scope of a case. Fields that are absent stay as they are. The scope
   * cannot be changed during a legal hold. With `revision`, the change is refused if the case was changed since that
   * revision, unless the case already is as requested. For auditors.
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
    return { case: this.shown(changed) };
  }

  /**
   * Closes a case permanently: it can be read, but no longer changed. A legal hold must be lifted first. With
   * `revision`, this is refused if the case was changed since that revision, unless it is closed already. For auditors.
   */
  @Reply(caseReply)
  @Post(':case_id/close')
  async close(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('case_id') caseId: number,
    @Parameters(ReadCaseParameters) parameters: ReadCaseParameters,
  ): Promise<SuccessFields> {
    const closed = await this.cases.change({ caller }, caseId, (state, asking) =>
      decideCloseCase(state, parameters, asking),
    );
    return { case: this.shown(closed) };
  }

  /**
   * Places a legal hold: from now on, the keys of all messages that the case covers are kept, even if the messages
   * are deleted, and the people that the case is about cannot be erased. Clients see deleted messages as deleted.
   * With `revision`, this is refused if the case was changed since that revision, unless a hold already stands, placed
   * on the case as it was at that revision. For auditors.
   */
  @Reply(caseReply)
  @Post(':case_id/hold')
  async hold(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('case_id') caseId: number,
    @Parameters(ReadCaseParameters) parameters: ReadCaseParameters,
  ): Promise<SuccessFields> {
    const held = await this.cases.change({ caller }, caseId, (state, asking) =>
      decidePlaceHold(state, parameters, asking),
    );
    return { case: this.shown(held) };
  }

  /** Lifts the legal hold: what it kept from being erased is erased, unless another hold covers it. For auditors. */
  @Reply(caseReply)
  @Delete(':case_id/hold')
  async lift(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('case_id') caseId: number,
  ): Promise<SuccessFields> {
    return { case: this.shown(await this.cases.change({ caller }, caseId, decideLiftHold)) };
  }

  private shown(one: Case) {
    return namedCaseObject(one, this.follower.current());
  }
}
