import { Min } from 'class-validator';
import { z } from 'zod';
import {
  BooleanParameter,
  IntegerParameter,
  JsonParameter,
  TextParameter,
} from '../../../http/parameters/parameter-decorators.js';

/** Parameters of GET /messages (specification). */
export class GetMessagesParameters {
  @TextParameter({
    example: 'newest',
    description: 'A message id, `newest`, `oldest`, `first_unread` or `date`.',
  })
  anchor?: string;

  @BooleanParameter({
    description: 'Whether the message at the anchor is among those returned. Default true.',
  })
  include_anchor?: boolean;

  @TextParameter({ description: 'For the anchor `date`: an ISO 8601 date or time; UTC without a time zone.' })
  anchor_date?: string;

  @IntegerParameter({
    example: 10,
    description: 'How many messages below the anchor; required without `message_ids`.',
  })
  @Min(0)
  num_before?: number;

  @IntegerParameter({
    example: 0,
    description: 'How many messages above the anchor; required without `message_ids`.',
  })
  @Min(0)
  num_after?: number;

  @JsonParameter({
    example: [{ operator: 'channels', operand: 'public' }],
    description: 'Terms `{"operator", "operand", "negated"}` that all hold of a message.',
  })
  narrow?: unknown;

  @BooleanParameter({ description: 'Leave `avatar_url` null where the client can compute it. Default true.' })
  client_gravatar?: boolean;

  @BooleanParameter({ description: 'HTML rather than raw Markdown. Default true.' })
  apply_markdown?: boolean;

  @JsonParameter({
    schema: z.array(z.number().int()),
    description: 'Return these messages, as far as accessible.',
  })
  message_ids?: number[];

  @BooleanParameter({
    description: 'Return the empty topic as it is rather than by its display name. Default false.',
  })
  allow_empty_topic_name?: boolean;

  @BooleanParameter({ description: 'Deprecated: the anchor `first_unread`.' })
  use_first_unread_anchor?: boolean;
}
