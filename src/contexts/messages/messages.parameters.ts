import { IsIn, Min } from 'class-validator';
import { z } from 'zod';
import { propagationModes, type PropagationMode } from '../../events/message-moves.js';
import {
  BooleanParameter,
  JsonOrTextParameter,
  TextParameter,
  IntegerParameter,
  JsonParameter,
} from '../../http/parameters/parameter-decorators.js';
import { budgets } from '../../kernel/budgets.js';

const addressees = z.union([z.string(), z.number().int(), z.array(z.string()), z.array(z.number().int())]);

const types = ['stream', 'channel', 'private', 'direct'] as const;

/** Parameters of POST /messages. */
export class SendMessageParameters {
  @TextParameter({
    example: 'direct',
    required: true,
    values: types,
    description: 'Whether it goes to a channel or directly to people.',
  })
  @IsIn(types)
  type!: (typeof types)[number];

  @JsonOrTextParameter({
    // The first owner has this id in every organization.
    example: '[3]',
    schema: addressees,
    description:
      'A channel’s name or id; or ids or addresses of people, as a JSON list or separated by commas. Required but for bots that have a channel to send to.',
  })
  to?: z.infer<typeof addressees>;

  @TextParameter({
    alias: 'subject',
    description: 'The topic; required for channel messages.',
  })
  topic?: string;

  @TextParameter({
    example: 'Note **G** is ready.',
    required: true,
    description: 'Markdown, at most 10,000 code points; what is longer is cut.',
  })
  content!: string;

  @TextParameter({ description: 'The client’s event queue; with `local_id` it names this message.' })
  queue_id?: string;

  @TextParameter({ description: 'The client’s own name for this message: sent again, it is not sent twice.' })
  local_id?: string;

  @BooleanParameter({
    description: 'Whether the sender’s copy counts as read; by default for interactive clients.',
  })
  read_by_sender?: boolean;

  @TextParameter({
    description:
      'Buttons below the text, as JSON of at most 10,000 code points: who presses one sends its `reply`. `{"widget_type": "zform", "extra_data": {"type": "choices", "heading": "Again?", "choices": [{"short_name": "A", "long_name": "Yes", "reply": "again"}]}}`',
  })
  widget_content?: string;
}

/** Parameters of PATCH /messages/{message_id}. */
export class EditMessageParameters {
  @TextParameter({
    example: 'Note **G** is finished.',
    description: 'The new text: Markdown, at most 10,000 code points; what is longer is cut.',
  })
  content?: string;

  @TextParameter({
    description: 'SHA-256 of the text that the client believes it replaces; a mismatch is an error.',
  })
  prev_content_sha256?: string;

  @TextParameter({
    alias: 'subject',
    description: 'The new topic, at most 60 code points; what is longer is cut. Only for channel messages.',
  })
  topic?: string;

  @IntegerParameter({
    description:
      'The channel that they move to. Only for channel messages, and not together with a new text.',
  })
  stream_id?: number;

  @TextParameter({
    values: propagationModes,
    description: 'What moves along: nothing, the later messages of the topic, or all of it.',
  })
  @IsIn(propagationModes)
  propagate_mode?: PropagationMode;

  @BooleanParameter({
    description: 'Whether the notification bot says so where they were; false by default.',
  })
  send_notification_to_old_thread?: boolean;

  @BooleanParameter({
    description:
      'Whether the notification bot says so where they went; true by default. A mark of a topic is told apart from it.',
  })
  send_notification_to_new_thread?: boolean;
}

/** Parameters of GET /messages/{message_id} and its history. */
export class GetMessageParameters {
  @BooleanParameter({ description: 'HTML rather than raw Markdown. Default true.' })
  apply_markdown?: boolean;

  @BooleanParameter({
    description: 'Return the empty topic as it is rather than by its display name. Default false.',
  })
  allow_empty_topic_name?: boolean;
}

/** Parameters of GET /messages. */
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

/** Parameters of GET /messages/matches_narrow. */
export class MatchesNarrowParameters {
  @JsonParameter({
    example: [1],
    required: true,
    schema: z.array(z.number().int()).max(budgets.messagesOfRequest.max),
    description: 'The messages that are asked about.',
  })
  msg_ids!: number[];

  @JsonParameter({
    example: [{ operator: 'channel', operand: 'engines' }],
    required: true,
    description: 'Terms `{"operator", "operand", "negated"}` that all hold of a message.',
  })
  narrow!: unknown;
}

/** Parameters of POST /messages/render. */
export class RenderParameters {
  @TextParameter({ example: 'Note **G** is ready.', required: true, description: 'Markdown.' })
  content!: string;
}

/** Parameters of GET /users/me/{stream_id}/topics. */
export class GetTopicsParameters {
  @BooleanParameter({
    description: 'Return the empty topic as it is rather than by its display name. Default false.',
  })
  allow_empty_topic_name?: boolean;
}

/** Parameters of POST /streams/{stream_id}/delete_topic. */
export class DeleteTopicParameters {
  @TextParameter({ example: 'engines', required: true, description: 'The topic, in whatever case.' })
  topic_name!: string;
}
