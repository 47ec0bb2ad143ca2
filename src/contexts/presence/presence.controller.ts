import { Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { IsIn, Min } from 'class-validator';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import { ApiTags } from '../../http/documentation.decorators.js';
import type { SuccessFields } from '../../http/envelope.js';
import {
  BooleanParameter,
  IntegerParameter,
  TextParameter,
} from '../../http/parameters/parameter-decorators.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { identifierOrName, PathName } from '../../http/parameters/path-parameters.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { appendsNothing } from '../../http/server/availability.js';
import { ownPresenceReply, presenceReply, presencesReply } from './presence.replies.js';
import { ReportPresence } from './commands/report-presence.js';
import { presenceStatuses, type PresenceStatus } from './presence.js';
import { GetPresence, GetPresences } from './queries/presence.js';
import { presenceRequestOf, wholePresence, type PresenceRequest } from './presence.view.js';

/** Parameters of GET /realm/presence. */
class GetPresencesParameters {
  @BooleanParameter({
    example: true,
    description: 'Give presence by account id, with two times for each account. Default false.',
  })
  slim_presence?: boolean;
}

/** Parameters of POST /users/me/presence. */
class ReportPresenceParameters extends GetPresencesParameters {
  @TextParameter({
    example: 'active',
    required: true,
    values: presenceStatuses,
    description: '`active`: the person uses the client; `idle`: the client is open but not in use.',
  })
  @IsIn(presenceStatuses)
  status!: PresenceStatus;

  @BooleanParameter({ description: 'Leave out presence from the reply. Default false.' })
  ping_only?: boolean;

  @BooleanParameter({
    description: 'Whether the person used the client since the previous report. Default false.',
  })
  new_user_input?: boolean;

  @IntegerParameter({
    description: 'Give only presence that changed after this `presence_last_update_id` of an earlier reply.',
  })
  last_update_id?: number;

  @IntegerParameter({ description: 'How many days of presence to give. At most 14, which is the default.' })
  @Min(0)
  history_limit_days?: number;
}

/** The presence that a reporting client requests. */
function presenceRequest(
  parameters: Pick<ReportPresenceParameters, 'slim_presence' | 'last_update_id' | 'history_limit_days'>,
): PresenceRequest {
  const { slim_presence: isSlim = false, last_update_id: afterUpdateId = null } = parameters;
  return presenceRequestOf({ isSlim, afterUpdateId, days: parameters.history_limit_days ?? null });
}

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
    return { ...(await this.queries.execute(new GetPresences(caller, presenceRequest(parameters)))) };
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
    @CurrentCaller() caller: Caller,
    @Parameters(GetPresencesParameters) { slim_presence: isSlim = false }: GetPresencesParameters,
  ): Promise<SuccessFields> {
    const { presences, server_timestamp } = await this.queries.execute(
      new GetPresences(caller, wholePresence(isSlim)),
    );
    return { presences, server_timestamp };
  }
}
