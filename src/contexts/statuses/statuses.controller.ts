import { Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import type { SuccessFields } from '../../http/envelope.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../../http/parameters/path-parameters.js';
import { ChangeStatus, ChangeStatusOf } from './commands/statuses.js';
import { ChangeStatusOfParameters, ChangeStatusParameters, statusRequest } from './statuses.parameters.js';
import { GetStatus } from './queries/get-status.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { statusReply } from './client-schemas.js';

/** People's statuses. */
@ApiTags('users')
@Controller('users')
export class StatusesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Changes the caller's status. */
  @Reply()
  @Post('me/status')
  async change(
    @CurrentCaller() caller: Caller,
    @Parameters(ChangeStatusParameters) parameters: ChangeStatusParameters,
  ): Promise<void> {
    await this.commands.execute(new ChangeStatus(caller, statusRequest(parameters)));
  }

  /** Changes a person's status, for administrators. */
  @Reply()
  @Post(':user_id/status')
  async changeOf(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('user_id') userId: number,
    @Parameters(ChangeStatusOfParameters) parameters: ChangeStatusOfParameters,
  ): Promise<void> {
    await this.commands.execute(new ChangeStatusOf(caller, userId, statusRequest(parameters)));
  }

  /** Reads the caller's own status. */
  @Reply(statusReply)
  @Get('me/status')
  async own(@CurrentCaller() caller: Caller): Promise<SuccessFields> {
    return { status: await this.queries.execute(new GetStatus(caller, caller.userId)) };
  }

  /** Reads a person's status. */
  @Reply(statusReply)
  @Get(':user_id/status')
  async get(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('user_id') userId: number,
  ): Promise<SuccessFields> {
    return { status: await this.queries.execute(new GetStatus(caller, userId)) };
  }
}
