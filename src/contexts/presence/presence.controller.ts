import { Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import type { SuccessFields } from '../../http/envelope.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { identifierOrName, PathName } from '../../http/parameters/path-parameters.js';
import { appendsNothing } from '../../http/server/availability.js';
import { ReportPresence } from './commands/report-presence.js';
import { GetPresencesParameters, presenceRequest, ReportPresenceParameters } from './presence.parameters.js';
import { GetPresence, GetPresences } from './queries/presence.js';
import { wholePresence } from './visible-presence.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { ownPresenceReply, presenceReply, presencesReply } from './client-schemas.js';

/** Presence: who is here. */
@ApiTags('presence')
@Controller()
export class PresenceController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Reports that the caller is here, and returns the presence of everyone. */
  @RouteConfig(appendsNothing)
  @Reply(ownPresenceReply)
  @Post('users/me/presence')
  async report(
    @CurrentCaller() caller: Caller,
    @Parameters(ReportPresenceParameters) parameters: ReportPresenceParameters,
  ): Promise<SuccessFields> {
    await this.commands.execute(new ReportPresence(caller, parameters.status));
    if (parameters.ping_only === true) return {};
    return { ...(await this.queries.execute(new GetPresences(presenceRequest(parameters)))) };
  }

  /** Finds out whether a person is here, by id or by e-mail address. */
  @Reply(presenceReply)
  @Get('users/:user_id_or_email/presence')
  async get(
    @CurrentCaller() caller: Caller,
    @PathName('user_id_or_email') sent: string,
  ): Promise<SuccessFields> {
    return { ...(await this.queries.execute(new GetPresence(caller, identifierOrName(sent)))) };
  }

  /** Returns the presence of everyone. */
  @Reply(presencesReply)
  @Get('realm/presence')
  async list(
    @Parameters(GetPresencesParameters) { slim_presence: isSlim = false }: GetPresencesParameters,
  ): Promise<SuccessFields> {
    const { presences, server_timestamp } = await this.queries.execute(
      new GetPresences(wholePresence(isSlim)),
    );
    return { presences, server_timestamp };
  }
}
