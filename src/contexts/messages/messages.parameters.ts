import { IsIn, MaxLength, Min } from 'class-validator';
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
import { MAX_FORM_LENGTH } from './submessages/submessage.js';
import { limits } from '../../events/values/organization-defaults.js';

const addressees = z.union([
  z.string(),
  z.number().int(),
  z.array(z.string()).max(budgets.listOfRequest.max),
  z.array(z.number().int()).max(budgets.listOfRequest.max),
]);

const topic = { cutAt: limits.topic, alias: 'subject' } as const;
const newText = { cutAt: limits.message, example: 'Note **G** is ready.', required: true } as const;
const types = ['stream', 'channel', 'private', 'direct'] as const;

/** Parameters of POST /messages. */
export class SendMessageParameters {
  @TextParameter({
    example: 'direct',
    required: true,
    values: types,
    description: 'Whether the message goes to a channel or directly to people.',
  })
  @IsIn(types)
  type!: (typeof types)[number];

  @JsonOrTextParameter({
    maxItems: budgets.peopleOfConversation.max,
    // The first owner has this id in every organization.
    example: '[3]',
    schema: addressees,
    description:
      'For a channel, its name or id; for people, their ids or e-mail addresses, as a JSON list or separated by commas. Required, except for bots with a default channel.',
  })
  to?: z.infer<typeof addressees>;

  @TextParameter({ ...topic, description: 'The topic; required for channel messages.' })
  topic?: string;

  @TextParameter({
    ...newText,
    description: 'The text: Markdown, at most 10,000 code points. A longer text is cut off.',
  })
  content!: string;

  @TextParameter({
    description:
      'The id of the event queue of the client. With `local_id` it lets the client recognize this message among its events.',
  })
  @MaxLength(budgets.localId.max)
  queue_id?: string;

  @TextParameter({
    description:
      'An id that the client chose for this message. If the request is repeated with the same id, the message is not sent again.',
  })
  @MaxLength(budgets.localId.max)
  local_id?: string;

  @BooleanParameter({
    description:
      'Whether the message is marked as read for its sender. Default true for interactive clients.',
  })
  read_by_sender?: boolean;

  @TextParameter({
    maxLength: MAX_FORM_LENGTH,
    description:
      'Buttons below the text, as JSON of at most 10,000 code points. Pressing a button sends its `reply`. `{"widget_type": "zform", "extra_data": {"type": "choices", "heading": "Again?", "choices": [{"short_name": "A", "long_name": "Yes", "reply": "again"}]}}`',
  })
  widget_content?: string;
}

/** Parameters of PATCH /messages/{message_id}. */
export class EditMessageParameters {
  @TextParameter({
    cutAt: limits.message,
    example: 'Note **G** is finished.',
    description: 'The new text: Markdown, at most 10,000 code points. A longer text is cut off.',
  })
  content?: string;

  @TextParameter({
    description:
      'SHA-256 of the text that the edit is based on. If it is not the present text, the edit is refused.',
  })
  prev_content_sha256?: string;

  @TextParameter({
    ...topic,
    description:
      'The new topic, at most 60 code points. A longer topic is cut off. Only for channel messages.',
  })
  topic?: string;

  @IntegerParameter({
    description:
      'The id of the channel to move the messages to. Only for channel messages, and not together with a new text.',
  })
  stream_id?: number;

  @TextParameter({
    values: propagationModes,
    description:
      'Which messages are moved: only this one, also the later messages of the topic, or all messages of the topic.',
  })
  @IsIn(propagationModes)
  propagate_mode?: PropagationMode;

  @BooleanParameter({
    description: 'Whether the notification bot writes about the move in the old topic. Default false.',
  })
  send_notification_to_old_thread?: boolean;

  @BooleanParameter({
    description:
      'Whether the notification bot writes about the move in the new topic. Default true. Resolving a topic or undoing that has a message of its own.',
  })
  send_notification_to_new_thread?: boolean;
}

/** Parameters of GET /messages/{message_id} and its history. */
export class GetMessageParameters {
  @BooleanParameter({ description: 'Give the text as HTML instead of Markdown. Default true.' })
  apply_markdown?: boolean;

  @BooleanParameter({
    description: 'Return the empty topic as an empty name instead of its display name. Default false.',
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

  @BooleanParameter({ description: 'Whether the message at the anchor is returned. Default true.' })
  include_anchor?: boolean;

  @TextParameter({ description: 'For the anchor `date`: an ISO 8601 date or time; UTC without a time zone.' })
  anchor_date?: string;

  @IntegerParameter({
    example: 10,
    description: 'How many messages before the anchor to return. Required without `message_ids`.',
  })
  @Min(0)
  num_before?: number;

  @IntegerParameter({
    example: 0,
    description: 'How many messages after the anchor to return. Required without `message_ids`.',
  })
  @Min(0)
  num_after?: number;

  @JsonParameter({
    maxItems: budgets.narrowTerms.max,
    example: [{ operator: 'channels', operand: 'public' }],
    description:
      'Terms `{"operator", "operand", "negated"}`. Only messages that match all of them are returned.',
  })
  narrow?: unknown;

  @BooleanParameter({ description: 'Leave `avatar_url` null where the client can compute it. Default true.' })
  client_gravatar?: boolean;

  @BooleanParameter({ description: 'Give the texts as HTML instead of Markdown. Default true.' })
  apply_markdown?: boolean;

  @JsonParameter({
    maxItems: budgets.messagesOfRequest.max,
    schema: z.array(z.number().int()),
    description: 'Ids of the messages to return. Those that the caller may not read are left out.',
  })
  message_ids?: number[];

  @BooleanParameter({
    description: 'Return the empty topic as an empty name instead of its display name. Default false.',
  })
  allow_empty_topic_name?: boolean;

  @BooleanParameter({ description: 'Deprecated: whether the anchor is `first_unread`.' })
  use_first_unread_anchor?: boolean;
}

/** Parameters of GET /messages/matches_narrow. */
export class MatchesNarrowParameters {
  @JsonParameter({
    example: [1],
    required: true,
    schema: z.array(z.number().int()).max(budgets.messagesOfRequest.max),
    description: 'Ids of the messages to match.',
  })
  msg_ids!: number[];

  @JsonParameter({
    maxItems: budgets.narrowTerms.max,
    example: [{ operator: 'channel', operand: 'engines' }],
    required: true,
    description:
      'Terms `{"operator", "operand", "negated"}`. Only messages that match all of them are returned.',
  })
  narrow!: unknown;
}

/** Parameters of POST /messages/render. */
export class RenderParameters {
  @TextParameter({ ...newText, description: 'Markdown.' })
  content!: string;
}

/** Parameters of GET /users/me/{stream_id}/topics. */
export class GetTopicsParameters {
  @BooleanParameter({
    description: 'Return the empty topic as an empty name instead of its display name. Default false.',
  })
  allow_empty_topic_name?: boolean;
}

/** Parameters of POST /streams/{stream_id}/delete_topic. */
export class DeleteTopicParameters {
  @TextParameter({
    cutAt: limits.topic,
    example: 'engines',
    required: true,
    description: 'The name of the topic, compared case-insensitively.',
  })
  topic_name!: string;
}
