import { Max, Min } from 'class-validator';
import { z } from 'zod';
import { IntegerParameter, JsonParameter, TextParameter } from '../http/parameters/parameter-decorators.js';

/** Which conversation: a channel, one of its topics, or a direct conversation. */
export class ConversationParameters {
  @IntegerParameter({ description: 'The channel. With `topic`, one of its topics.', example: 1 })
  @Min(1)
  channel_id?: number;

  @TextParameter({ description: 'A topic of the channel, whatever its case; absent: all of them.' })
  topic?: string;

  @JsonParameter({
    schema: z.array(z.number().int().positive()).min(1).max(1_000),
    description: 'Instead of a channel: the ids of everyone in a direct conversation.',
  })
  user_ids?: number[];
}

const momentText =
  'a position of the log, or a date or time of ISO 8601, in UTC unless it says otherwise; what lies behind the end of the log is its end';

/** Parameters of GET /audit/conversation. */
export class PastConversationParameters extends ConversationParameters {
  @TextParameter({ description: `The moment: ${momentText}. Absent: the end of the log.` })
  at?: string;

  @TextParameter({
    description:
      'Only what this account could see then, by an id or an e-mail address. Absent: everything that was there.',
  })
  as?: string;

  @TextParameter({
    description: 'A message id, `newest` or `oldest`; `newest` unless said.',
    example: 'newest',
  })
  anchor?: string;

  @IntegerParameter({ description: 'How many messages before the anchor: 0 to 1000, 50 unless said.' })
  @Min(0)
  @Max(1_000)
  num_before?: number;

  @IntegerParameter({ description: 'How many messages from the anchor on: 0 to 1000, 50 unless said.' })
  @Min(0)
  @Max(1_000)
  num_after?: number;
}

/** Parameters of GET /audit/conversation/changes. */
export class ConversationChangesParameters extends ConversationParameters {
  @IntegerParameter({ description: 'Changes after this position of the log, the earliest first.' })
  @Min(0)
  after?: number;

  @IntegerParameter({ description: 'Changes before this position of the log, the latest first.' })
  @Min(0)
  before?: number;

  @IntegerParameter({ description: 'At most so many: 1 to 1000, 100 unless said.' })
  @Min(1)
  @Max(1_000)
  limit?: number;
}

/** Parameters of GET /audit/conversation/comparison. */
export class ComparisonParameters extends ConversationParameters {
  @TextParameter({ required: true, description: `One moment: ${momentText}.`, example: '1' })
  from!: string;

  @TextParameter({ description: 'The other moment. Absent: the end of the log.' })
  to?: string;

  @TextParameter({ description: 'Only what this account could see at each, by an id or an e-mail address.' })
  as?: string;

  @IntegerParameter({ description: 'Only messages after this id: the `after` of the reply before.' })
  @Min(0)
  after?: number;

  @IntegerParameter({ description: 'At most so many differences: 1 to 1000, 200 unless said.' })
  @Min(1)
  @Max(1_000)
  limit?: number;
}
