import { Max, Min } from 'class-validator';
import { z } from 'zod';
import {
  BooleanParameter,
  IntegerParameter,
  JsonParameter,
  TextParameter,
} from '../../../http/parameters/parameter-decorators.js';

/** Which conversation: a channel, one of its topics, or a direct conversation. */
export class ConversationParameters {
  @IntegerParameter({
    description: 'The id of the channel. With `topic`: only that topic of the channel.',
    example: 1,
  })
  @Min(1)
  channel_id?: number;

  @TextParameter({
    description: 'The name of a topic of the channel, compared case-insensitively. Absent: all topics.',
  })
  topic?: string;

  @JsonParameter({
    schema: z.array(z.number().int().positive()).min(1).max(1_000),
    description: 'Instead of a channel: the account ids of all participants of a direct conversation.',
  })
  user_ids?: number[];
}

const MOMENT_TEXT =
  'a position of the log, or an ISO 8601 date or time, in UTC if it has no time zone; a moment after the end of the log stands for its end';

/** Parameters of GET /audit/conversation. */
export class PastConversationParameters extends ConversationParameters {
  @TextParameter({ description: `The moment: ${MOMENT_TEXT}. Absent: the end of the log.` })
  at?: string;

  @TextParameter({
    description:
      'The id or e-mail address of an account: only the messages that it could see at the moment. Absent: all messages of the conversation.',
  })
  as?: string;

  @TextParameter({
    description: 'A message id, `newest` or `oldest`. Default `newest`.',
    example: 'newest',
  })
  anchor?: string;

  @IntegerParameter({ description: 'How many messages before the anchor to return: 0 to 1000. Default 50.' })
  @Min(0)
  @Max(1_000)
  num_before?: number;

  @IntegerParameter({ description: 'How many messages from the anchor on to return: 0 to 1000. Default 50.' })
  @Min(0)
  @Max(1_000)
  num_after?: number;

  @BooleanParameter({
    description:
      'Whether to return the changes of the conversation around the moment, and its first and last one (`changes`). They are a part of the same access, which is recorded once.',
  })
  with_changes?: boolean;
}

/** Parameters of GET /audit/conversation/changes. */
export class ConversationChangesParameters extends ConversationParameters {
  @IntegerParameter({ description: 'Only changes after this position of the log, the earliest first.' })
  @Min(0)
  after?: number;

  @IntegerParameter({ description: 'Only changes before this position of the log, the latest first.' })
  @Min(0)
  before?: number;

  @IntegerParameter({ description: 'The most changes to return: 1 to 1000. Default 100.' })
  @Min(1)
  @Max(1_000)
  limit?: number;
}

/** Parameters of GET /audit/conversation/comparison. */
export class ComparisonParameters extends ConversationParameters {
  @TextParameter({ required: true, description: `One moment: ${MOMENT_TEXT}.`, example: '1' })
  from!: string;

  @TextParameter({ description: 'The other moment, in the same formats. Absent: the end of the log.' })
  to?: string;

  @TextParameter({
    description:
      'The id or e-mail address of an account: only the messages that it could see at each of the two moments.',
  })
  as?: string;

  @IntegerParameter({
    description: 'Only messages with ids greater than this: the `after` of the previous reply.',
  })
  @Min(0)
  after?: number;

  @IntegerParameter({ description: 'The most differences to return: 1 to 1000. Default 200.' })
  @Min(1)
  @Max(1_000)
  limit?: number;
}
