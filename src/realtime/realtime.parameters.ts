import { IsIn, Min } from 'class-validator';
import { z } from 'zod';
import {
  BooleanParameter,
  IntegerParameter,
  TextParameter,
  JsonOrTextParameter,
  JsonParameter,
} from '../http/parameters/parameter-decorators.js';
import { budgets } from '../kernel/budgets.js';
import { clientCapabilitiesSchema, type ClientCapabilities } from './queues/client-capabilities.js';

/** Parameters of GET /events. */
export class GetEventsParameters {
  @TextParameter({
    required: true,
    description: 'The id of the event queue, from the reply of POST /register.',
  })
  queue_id!: string;

  @IntegerParameter({
    required: true,
    description:
      'The id of the last event that the client has received. This event and earlier ones are dropped from the queue. -1 in the first request.',
  })
  last_event_id!: number;

  @BooleanParameter({ description: 'Reply at once, even if there are no events. Default false.' })
  dont_block?: boolean;
}

/** Parameters of DELETE /events. */
export class DeleteQueueParameters {
  @TextParameter({
    required: true,
    description: 'The id of the event queue, from the reply of POST /register.',
  })
  queue_id!: string;
}

const typeNames = z.array(z.string().max(budgets.eventTypeName.max)).max(budgets.eventTypes.max);

/** Parameters of POST /register. */
export class RegisterParameters {
  @BooleanParameter({ description: 'Give the texts of messages as HTML instead of Markdown. Default false.' })
  apply_markdown?: boolean;

  @BooleanParameter({ description: 'Leave `avatar_url` null where the client can compute it. Default true.' })
  client_gravatar?: boolean;

  @BooleanParameter({ description: 'Give presence by account id, without devices. Default false.' })
  slim_presence?: boolean;

  @IntegerParameter({
    description: 'Give only presence that changed after this `presence_last_update_id`, by account id.',
  })
  presence_last_update_id?: number;

  @IntegerParameter({ description: 'How many days of presence to give. At most 14, which is the default.' })
  @Min(0)
  presence_history_limit_days?: number;

  @TextParameter({
    description: 'List the subscribers of each channel. Default `false`.',
    values: ['true', 'false', 'partial'],
  })
  @IsIn(['true', 'false', 'partial'])
  include_subscribers?: 'true' | 'false' | 'partial';

  @BooleanParameter({
    description:
      'Also send the messages of public channels that the caller is not subscribed to. Default false.',
  })
  all_public_streams?: boolean;

  @JsonParameter({
    schema: typeNames,
    description: 'The types of client events to receive. Absent: all types.',
  })
  event_types?: string[];

  @JsonParameter({
    schema: typeNames,
    description:
      'The parts of the initial state to give. Absent: those that belong to `event_types`, or all parts.',
  })
  fetch_event_types?: string[];

  @JsonParameter({
    schema: z
      .array(z.tuple([z.string(), z.string().max(budgets.registeredOperand.max)]))
      .max(budgets.narrowTerms.max),
    description:
      'Pairs of an operator and an operand. Only messages that meet all of these conditions are sent as events.',
  })
  narrow?: [string, string][];

  @JsonParameter({
    schema: clientCapabilitiesSchema,
    description: 'The optional features of the protocol that the client supports, each with a boolean.',
  })
  client_capabilities?: Partial<ClientCapabilities>;

  @JsonOrTextParameter({
    schema: z.union([z.number().int(), z.literal('mobile')]),
    description:
      'After how long the queue is deleted if nobody reads it, in seconds, or `mobile` for one week.',
  })
  idle_queue_timeout?: number | 'mobile';

  @IntegerParameter({ description: 'Older name of `idle_queue_timeout`.' })
  queue_lifespan_secs?: number;
}
