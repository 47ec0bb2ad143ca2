import { IsIn, Min } from 'class-validator';
import { z } from 'zod';
import {
  BooleanParameter,
  IntegerParameter,
  JsonParameter,
  TextParameter,
} from '../../../http/parameters/parameter-decorators.js';
import { budgets } from '../../../kernel/budgets.js';
import { limits } from '../../../events/values/organization-defaults.js';

const operations = ['add', 'remove'] as const;

/** The parameters that both forms of changing flags share. */
class FlagParameters {
  @TextParameter({
    example: 'add',
    required: true,
    values: operations,
    description: 'Whether to set the flag or to clear it.',
  })
  @IsIn(operations)
  op!: (typeof operations)[number];

  @TextParameter({
    example: 'starred',
    required: true,
    description: 'The flag: `read`, `starred` or `collapsed`.',
  })
  flag!: string;
}

/** Parameters of POST /messages/flags. */
export class ChangeFlagsParameters extends FlagParameters {
  @JsonParameter({
    example: [1],
    required: true,
    schema: z.array(z.number().int().nonnegative()).max(budgets.messagesOfRequest.max),
    description: 'Ids of the messages.',
  })
  messages!: number[];
}

/** Parameters of POST /messages/flags/narrow. */
export class ChangeFlagsInNarrowParameters extends FlagParameters {
  @TextParameter({
    example: 'oldest',
    required: true,
    description: 'A message id, `newest`, `oldest`, `first_unread` or `date`.',
  })
  anchor!: string;

  @TextParameter({ description: 'For the anchor `date`: an ISO 8601 date or time; UTC without a time zone.' })
  anchor_date?: string;

  @BooleanParameter({ description: 'Whether the message at the anchor is included. Default true.' })
  include_anchor?: boolean;

  @IntegerParameter({
    example: 0,
    required: true,
    description: 'How many messages before the anchor to change; at most 5000 together with `num_after`.',
  })
  @Min(0)
  num_before!: number;

  @IntegerParameter({
    example: 100,
    required: true,
    description: 'How many messages after the anchor to change; at most 5000 together with `num_before`.',
  })
  @Min(0)
  num_after!: number;

  @JsonParameter({
    maxItems: budgets.narrowTerms.max,
    example: [{ operator: 'channel', operand: 'engines' }],
    required: true,
    nullable: true,
    description:
      'Terms `{"operator", "operand", "negated"}`. Only messages that match all of them are changed; null: no terms.',
  })
  narrow!: unknown;
}

/** Parameters of POST /mark_stream_as_read. */
export class MarkChannelAsReadParameters {
  @IntegerParameter({ example: 1, required: true, description: 'The id of the channel.' })
  stream_id!: number;
}

/** Parameters of POST /mark_topic_as_read. */
export class MarkTopicAsReadParameters extends MarkChannelAsReadParameters {
  @TextParameter({
    cutAt: limits.topic,
    example: 'notes',
    required: true,
    description: 'The name of the topic, compared case-insensitively.',
  })
  topic_name!: string;
}
