import { IsIn } from 'class-validator';
import { z } from 'zod';
import type { Recipient } from '../../events/messages.js';
import {
  JsonParameter,
  IntegerParameter,
  TextParameter,
  BooleanParameter,
} from '../../http/parameters/parameter-decorators.js';
import { failure } from '../../kernel/errors.js';
import { addresseeOf } from '../messages/sending/addressee.js';
import type { Addressee } from '../messages/sending/recipients.js';
import type { DraftRequest } from './draft-content.js';
import { addresseeOfRecipient } from './planned-message.js';
import { budgets } from '../../kernel/budgets.js';
import { MAX_NOTE_LENGTH } from './reminders.decide.js';
import { limits } from '../../events/values/organization-defaults.js';

/** The end of the year 9999, in seconds since the UNIX epoch. */
const LATEST_TIMESTAMP = 253_402_300_799;

const draft = z.object({
  type: z.enum(['', 'stream', 'channel', 'private', 'direct']),
  to: z.array(z.number().int()).max(budgets.listOfRequest.max),
  topic: z.string(),
  content: z.string(),
  timestamp: z.number().max(LATEST_TIMESTAMP).nullish(),
});

/** Parameters of POST /drafts. */
export class SaveDraftsParameters {
  @JsonParameter({
    example: [{ type: 'stream', to: [1], topic: 'notes', content: 'Note G is alm' }],
    schema: z.array(draft).max(100),
    description:
      'Drafts as `{"type", "to", "topic", "content", "timestamp"}`. `to` is the id of one channel, or the ids of the recipients.',
  })
  drafts?: z.infer<typeof draft>[];
}

/** Parameters of PATCH /drafts/{draft_id}. */
export class ChangeDraftParameters {
  @JsonParameter({
    example: { type: 'stream', to: [1], topic: 'notes', content: 'Note G is almost' },
    required: true,
    schema: draft,
    description: 'The new draft: `{"type", "to", "topic", "content", "timestamp"}`.',
  })
  draft!: z.infer<typeof draft>;
}

/** The draft in a parameter. */
export function draftRequestOf({ type, to, topic, content, timestamp }: z.infer<typeof draft>): DraftRequest {
  return { type, to, topic, content, timestamp: timestamp ?? undefined };
}

/** Parameters of POST /reminders. */
export class RequestReminderParameters {
  @IntegerParameter({ example: 1, required: true, description: 'The id of the message to be reminded of.' })
  message_id!: number;

  @IntegerParameter({
    example: 4_102_444_800,
    required: true,
    description: 'When to send the reminder, in seconds since the UNIX epoch.',
  })
  scheduled_delivery_timestamp!: number;

  @TextParameter({
    maxLength: MAX_NOTE_LENGTH,
    example: 'Read it again',
    description: 'A note to send with the reminder: at most 500 code points.',
  })
  note?: string;
}

const addressees = z.union([z.number().int(), z.array(z.number().int()).max(budgets.listOfRequest.max)]);
const types = ['stream', 'channel', 'private', 'direct'] as const;

/** Parameters of POST /scheduled_messages. */
export class ScheduleMessageParameters {
  @TextParameter({
    example: 'channel',
    required: true,
    values: types,
    description: 'Whether the message goes to a channel or directly to people.',
  })
  @IsIn(types)
  type!: (typeof types)[number];

  @JsonParameter({
    example: 1,
    required: true,
    schema: addressees,
    description: 'The id of a channel, or the ids of the recipients.',
  })
  to!: z.infer<typeof addressees>;

  @TextParameter({
    cutAt: limits.topic,
    example: 'notes',
    description: 'The topic; required for channel messages.',
  })
  topic?: string;

  @TextParameter({
    cutAt: limits.message,
    example: 'A happy new century!',
    required: true,
    description: 'The text: Markdown, at most 10,000 code points. A longer text is cut off.',
  })
  content!: string;

  @IntegerParameter({
    example: 4_102_444_800,
    required: true,
    description: 'When to send the message, in seconds since the UNIX epoch.',
  })
  scheduled_delivery_timestamp!: number;

  @BooleanParameter({
    description:
      'Whether the message is marked as read for its sender. Default true for interactive clients.',
  })
  read_by_sender?: boolean;
}

/** Parameters of PATCH /scheduled_messages/{scheduled_message_id}; absent: no change. */
export class ChangeScheduledMessageParameters {
  @TextParameter({
    values: types,
    description: 'Whether the message goes to a channel or directly to people. Requires `to`.',
  })
  @IsIn(types)
  type?: (typeof types)[number];

  @JsonParameter({ schema: addressees, description: 'The id of a channel, or the ids of the recipients.' })
  to?: z.infer<typeof addressees>;

  @TextParameter({ cutAt: limits.topic, description: 'The topic.' })
  topic?: string;

  @TextParameter({ cutAt: limits.message, description: 'Markdown.' })
  content?: string;

  @IntegerParameter({ description: 'When to send the message, in seconds since the UNIX epoch.' })
  scheduled_delivery_timestamp?: number;
}

/** @throws ApplicationError when the request changes nothing */
export function refuseNothing(parameters: ChangeScheduledMessageParameters): void {
  if (Object.values(parameters).every((value) => value === undefined)) {
    throw failure('nothingToChange');
  }
}

/**
 * The new addressee of a scheduled message, given its present recipient.
 *
 * @throws ApplicationError for a new type without a new addressee, or the type of a channel without a topic
 */
export function readdressed(
  { type, to, topic }: Pick<ChangeScheduledMessageParameters, 'type' | 'to' | 'topic'>,
  recipient: Recipient,
): Addressee {
  if (type !== undefined && to === undefined) throw failure('scheduledRecipientRequired');
  const namesChannel = type === 'channel' || type === 'stream';
  if (namesChannel && topic === undefined) throw failure('scheduledTopicRequired');
  const current = addresseeOfRecipient(recipient);
  const currentTopic = current.type === 'channel' ? current.topic : undefined;
  const newTopic = topic ?? currentTopic;
  if (to !== undefined) {
    const named = { type: type ?? current.type, to };
    return addresseeOf(newTopic === undefined ? named : { ...named, topic: newTopic });
  }
  return current.type === 'channel' ? { ...current, topic: newTopic ?? '' } : current;
}
