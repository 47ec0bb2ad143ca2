import { z } from 'zod';
import {
  BooleanParameter,
  IntegerParameter,
  JsonOrTextParameter,
  TextParameter,
} from '../../http/parameters/parameter-decorators.js';
import type { BotDefaultsRequest } from './bot-settings.decide.js';
import { MAX_SHORT_NAME_LENGTH } from './commands/bots.js';
import { budgets } from '../../kernel/budgets.js';
import { limits } from '../../events/values/organization-defaults.js';

/** Defaults for what a bot's requests do not specify. */
class BotDefaultsParameters {
  @TextParameter({ description: 'The name of the default channel for the messages of the bot. Empty: none.' })
  default_sending_stream?: string;

  @TextParameter({
    description:
      'The name of the only channel whose messages the event queues of the bot receive. Empty: all channels.',
  })
  default_events_register_stream?: string;

  @BooleanParameter({
    description: 'Whether the event queues of the bot receive the messages of all public channels.',
  })
  default_all_public_streams?: boolean;
}

const addresses = z.string();

/** Parameters of POST /bots. */
export class CreateBotParameters extends BotDefaultsParameters {
  @TextParameter({
    maxLength: limits.fullName,
    example: 'Relay',
    required: true,
    description: 'The display name of the bot: 2 to 100 characters.',
  })
  full_name!: string;

  @TextParameter({
    maxLength: MAX_SHORT_NAME_LENGTH,
    example: 'relay',
    required: true,
    description: 'The first part of the e-mail address of the bot.',
  })
  short_name!: string;

  @IntegerParameter({
    description: 'The type of the bot: 1 generic (default), 2 incoming webhook, 3 outgoing webhook.',
  })
  bot_type?: number;

  @JsonOrTextParameter({
    maxLength: budgets.serviceUrl.max,
    countsUtf16: true,
    schema: addresses,
    description: 'Only for outgoing webhook bots: the URL that requests are sent to.',
  })
  payload_url?: string;

  @IntegerParameter({
    description: 'The format of the requests: 1 JSON (default), 2 a form in the format of another service.',
  })
  interface_type?: number;
}

/** Parameters of PATCH /bots/{bot_id}. */
export class UpdateBotParameters extends BotDefaultsParameters {
  @TextParameter({ maxLength: limits.fullName, description: 'The new display name: 2 to 100 characters.' })
  full_name?: string;

  @TextParameter({
    maxLength: MAX_SHORT_NAME_LENGTH,
    description: 'The new first part of the e-mail address of the bot.',
  })
  short_name?: string;

  @IntegerParameter({ description: 'The id of the new owner of the bot.' })
  bot_owner_id?: number;

  @IntegerParameter({
    description:
      'The new role of the bot: 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.',
  })
  role?: number;

  @JsonOrTextParameter({
    maxLength: budgets.serviceUrl.max,
    countsUtf16: true,
    schema: addresses,
    description: 'Only for outgoing webhook bots: the URL that requests are sent to.',
  })
  service_payload_url?: string;

  @IntegerParameter({
    description: 'The format of the requests: 1 JSON, 2 a form in the format of another service.',
  })
  service_interface?: number;
}

/** The requested defaults. */
export function botDefaultsRequest(parameters: BotDefaultsParameters): BotDefaultsRequest {
  return {
    sendingChannel: parameters.default_sending_stream ?? null,
    registeringChannel: parameters.default_events_register_stream ?? null,
    allPublicChannels: parameters.default_all_public_streams ?? null,
  };
}
