import { z } from 'zod';
import {
  BooleanParameter,
  IntegerParameter,
  JsonOrTextParameter,
  TextParameter,
} from '../../http/parameters/parameter-decorators.js';
import type { BotDefaultsRequest } from './bot-settings.decide.js';

/** Defaults for what a bot's requests do not specify. */
class BotDefaultsParameters {
  @TextParameter({ description: 'The channel that it sends to; empty: none.' })
  default_sending_stream?: string;

  @TextParameter({ description: 'The channel whose messages its clients are told of; empty: of all.' })
  default_events_register_stream?: string;

  @BooleanParameter({ description: 'Whether its clients are told of the messages of every public channel.' })
  default_all_public_streams?: boolean;
}

const addresses = z.string();

/** Parameters of POST /bots. */
export class CreateBotParameters extends BotDefaultsParameters {
  @TextParameter({ example: 'Relay', required: true, description: '2 to 100 characters.' })
  full_name!: string;

  @TextParameter({ example: 'relay', required: true, description: 'What the bot’s address begins with.' })
  short_name!: string;

  @IntegerParameter({
    description: '1 generic (default), 2 incoming webhook, 3 outgoing webhook.',
  })
  bot_type?: number;

  @JsonOrTextParameter({
    schema: addresses,
    description: 'Of an outgoing webhook bot, where its requests go.',
  })
  payload_url?: string;

  @IntegerParameter({
    description: 'How they are written: 1 as JSON (default), 2 as a form of another service.',
  })
  interface_type?: number;
}

/** Parameters of PATCH /bots/{bot_id}. */
export class UpdateBotParameters extends BotDefaultsParameters {
  @TextParameter({ description: '2 to 100 characters.' })
  full_name?: string;

  @TextParameter({ description: 'What the bot’s address is to begin with.' })
  short_name?: string;

  @IntegerParameter({ description: 'The person to give it to.' })
  bot_owner_id?: number;

  @IntegerParameter({ description: '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.' })
  role?: number;

  @JsonOrTextParameter({
    schema: addresses,
    description: 'Of an outgoing webhook bot, where its requests go.',
  })
  service_payload_url?: string;

  @IntegerParameter({ description: 'How they are written: 1 as JSON, 2 as a form of another service.' })
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
