import { IsIn, Min } from 'class-validator';
import {
  BooleanParameter,
  IntegerParameter,
  TextParameter,
} from '../../http/parameters/parameter-decorators.js';
import { presenceStatuses, type PresenceStatus } from './presence.js';
import { presenceRequestOf, type PresenceRequest } from './visible-presence.js';

/** Parameters of GET /realm/presence. */
export class GetPresencesParameters {
  @BooleanParameter({
    example: true,
    description: 'Give presences by account id and with two times. Default false.',
  })
  slim_presence?: boolean;
}

/** Parameters of POST /users/me/presence. */
export class ReportPresenceParameters extends GetPresencesParameters {
  @TextParameter({
    example: 'active',
    required: true,
    values: presenceStatuses,
    description: 'Whether the caller does something at their client, or has it open.',
  })
  @IsIn(presenceStatuses)
  status!: PresenceStatus;

  @BooleanParameter({ description: 'Answer without anybody’s presence. Default false.' })
  ping_only?: boolean;

  @BooleanParameter({ description: 'Whether the caller did something since the last report. Default false.' })
  new_user_input?: boolean;

  @IntegerParameter({
    description: 'Give only what changed after the `presence_last_update_id` of an earlier answer.',
  })
  last_update_id?: number;

  @IntegerParameter({ description: 'How many days back; 14 at most, and by default.' })
  @Min(0)
  history_limit_days?: number;
}

/** The presence that a reporting client requests. */
export function presenceRequest(
  parameters: Pick<ReportPresenceParameters, 'slim_presence' | 'last_update_id' | 'history_limit_days'>,
): PresenceRequest {
  const { slim_presence: isSlim = false, last_update_id: afterUpdateId = null } = parameters;
  return presenceRequestOf({ isSlim, afterUpdateId, days: parameters.history_limit_days ?? null });
}
