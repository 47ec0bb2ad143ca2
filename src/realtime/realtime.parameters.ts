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
  @TextParameter({ required: true, description: 'As POST /register answered it.' })
  queue_id!: string;

  @IntegerParameter({
    required: true,
    description: 'The last event that the client has: those up to it are dropped. -1 at first.',
  })
  last_event_id!: number;

  @BooleanParameter({ description: 'Answer at once, though there may be no events. Default false.' })
  dont_block?: boolean;
}

/** Parameters of DELETE /events. */
export class DeleteQueueParameters {
  @TextParameter({ required: true, description: 'As POST /register answered it.' })
  queue_id!: string;
}

const typeNames = z.array(z.string().max(budgets.eventTypeName.max)).max(budgets.eventTypes.max);

/** Parameters of POST /register. */
export class RegisterParameters {
  @BooleanParameter({ description: 'HTML rather than raw Markdown. Default false.' })
  apply_markdown?: boolean;

  @BooleanParameter({ description: 'Leave `avatar_url` null where the client can compute it. Default true.' })
  client_gravatar?: boolean;

  @BooleanParameter({ description: 'Presence by ids, without devices. Default false.' })
  slim_presence?: boolean;

  @IntegerParameter({
    description: 'Fetch only presence that changed after this `presence_last_update_id`, by ids.',
  })
  presence_last_update_id?: number;

  @IntegerParameter({ description: 'Presence of how many days to fetch; 14 at most, and by default.' })
  @Min(0)
  presence_history_limit_days?: number;

  @TextParameter({
    description: 'List the subscribers of each channel. Default `false`.',
    values: ['true', 'false', 'partial'],
  })
  @IsIn(['true', 'false', 'partial'])
  include_subscribers?: 'true' | 'false' | 'partial';

  @BooleanParameter({
    description: 'Also messages of public channels that the caller is not subscribed to. Default false.',
  })
  all_public_streams?: boolean;

  @JsonParameter({
    schema: typeNames,
    description: 'Types of events to be told of; absent: every type.',
  })
  event_types?: string[];

  @JsonParameter({
    schema: typeNames,
    description: 'Which parts of the initial state to fetch; absent: those of `event_types`, or all.',
  })
  fetch_event_types?: string[];

  @JsonParameter({
    schema: z
      .array(z.tuple([z.string(), z.string().max(budgets.registeredOperand.max)]))
      .max(budgets.narrowTerms.max),
    description: 'Pairs of operator and operand that all hold of a message that is told of.',
  })
  narrow?: [string, string][];

  @JsonParameter({ schema: clientCapabilitiesSchema, description: 'What the client understands.' })
  client_capabilities?: Partial<ClientCapabilities>;

  @JsonOrTextParameter({
    schema: z.union([z.number().int(), z.literal('mobile')]),
    description: 'How long the queue lives without being asked, in seconds, or `mobile` for a week.',
  })
  idle_queue_timeout?: number | 'mobile';

  @IntegerParameter({ description: 'The same by its older name.' })
  queue_lifespan_secs?: number;
}
