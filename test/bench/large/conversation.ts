import { randomCommandId } from '../../../src/stores/event-store/event-id.js';
import type { MessageSent, Recipient } from '../../../src/events/messages.js';
import type { DomainEvent, EventMetadata, EventOf } from '../../../src/kernel/event.js';
import { uploadUrl } from '../../../src/contexts/uploads/upload-path.js';
import { Random } from './random.js';
import { writeText } from './texts.js';

type Sent = EventOf<typeof MessageSent>;

/** The people, channels and uploads of a conversation. */
export interface Cast {
  /** People who write; the requester is not included. */
  readonly people: readonly NamedPerson[];
  /** The person whose narrows are measured: a subscriber of all channels who is rarely mentioned. */
  readonly requester: NamedPerson;
  readonly channelIds: readonly number[];
  readonly uploads: readonly KnownUpload[];
}

export interface NamedPerson {
  readonly id: number;
  readonly name: string;
}

export interface KnownUpload {
  readonly id: number;
  readonly storageName: string;
  readonly name: string;
}

/** The events that one command appends to a stream. */
export interface PlannedAppend {
  readonly stream: string;
  readonly events: readonly DomainEvent[];
  readonly metadata: EventMetadata;
}

/** A message and the later events about it. Both depend on the message's id and the id of its event. */
export interface PlannedMessage {
  readonly sending: PlannedAppend;
  afterwards(messageId: number, eventId: string): PlannedAppend | null;
}

/** The name of a topic of a channel; a few topics are resolved. */
export function topicAt(index: number): string {
  return `${index % 50 === 49 ? '✔ ' : ''}topic ${index}`;
}

const TOPICS = 300;
const FIRST_MESSAGE_AT = Date.UTC(2025, 0, 1);
const BETWEEN_MESSAGES = 20_000;
const OCTOPUS = { name: 'octopus', code: '1f419', type: 'unicode_emoji' } as const;
const THUMBS_UP = { name: '+1', code: '1f44d', type: 'unicode_emoji' } as const;

/** A long conversation of many people in many channels. It is the same each time, apart from ids and keys. */
export class Conversation {
  private readonly random = new Random(20_250_101);
  private index = 0;

  constructor(private readonly cast: Cast) {}

  /** The next message. */
  next(): PlannedMessage {
    const at = FIRST_MESSAGE_AT + this.index * BETWEEN_MESSAGES;
    this.index += 1;
    const data = this.message();
    const metadata = metadataOf(data.senderId, at);
    const isChanged = this.random.happens(0.09);
    const changes = isChanged ? this.changes(data) : [];
    return {
      sending: { stream: 'messages', events: [{ type: 'MessageSent', data }], metadata },
      afterwards: (messageId, messageKey) =>
        isChanged
          ? {
              stream: `message-${messageId}`,
              events: changes.map((change) => change(messageId, messageKey)),
              metadata: metadataOf(data.senderId, at + 1),
            }
          : null,
    };
  }

  private message(): Sent['data'] {
    const { random } = this;
    const senderId = this.cast.people[random.skewedBelow(this.cast.people.length)]!.id;
    const recipient = this.recipient(senderId);
    const { text, uploads } = this.withAttachment(writeText(random));
    const mentioned = this.mentioned();
    const isWildcard = recipient.type === 'channel' && random.happens(0.0003);
    const names = mentioned.map(({ name }) => `@**${name}**`);
    return {
      senderId,
      recipient,
      content: [...(isWildcard ? ['@**all**'] : []), ...names, text].join(' '),
      references: {
        ...(mentioned.length > 0 && { users: mentioned }),
        ...(uploads.length > 0 && { uploads }),
      },
      mentions: {
        userIds: mentioned.map(({ id }) => id).sort((one, other) => one - other),
        groups: [],
        channelWildcard: isWildcard,
        topicWildcard: false,
      },
      readBySender: true,
    };
  }

  private recipient(senderId: number): Recipient {
    const { random } = this;
    const { channelIds, people, requester } = this.cast;
    if (random.happens(0.1)) {
      const others = Array.from({ length: 1 + random.skewedBelow(4) }, () => random.pick(people).id);
      const withRequester = random.happens(0.05) ? [requester.id] : others;
      return { type: 'direct', userIds: rising([senderId, ...withRequester]) };
    }
    const channelId = channelIds[random.skewedBelow(channelIds.length)]!;
    return { type: 'channel', channelId, topic: topicAt(random.skewedBelow(TOPICS)) };
  }

  private mentioned(): readonly NamedPerson[] {
    if (this.random.happens(0.0002)) return [this.cast.requester];
    return this.random.happens(0.02) ? [this.random.pick(this.cast.people)] : [];
  }

  private withAttachment(text: string): { readonly text: string; readonly uploads: readonly number[] } {
    if (!this.random.happens(0.005)) return { text, uploads: [] };
    const upload = this.random.pick(this.cast.uploads);
    return { text: `${text} [${upload.name}](${uploadUrl(upload)})`, uploads: [upload.id] };
  }

  private changes(sent: Sent['data']): readonly ((messageId: number, messageKey: string) => DomainEvent)[] {
    const { random } = this;
    if (random.happens(0.4)) {
      const texts = Array.from({ length: 1 + random.skewedBelow(4) }, () => writeText(random));
      return texts.map((content) => (messageId, messageKey) => ({
        type: 'MessageEdited',
        data: { ...edited(sent), messageId, messageKey, content },
      }));
    }
    const people = rising(
      Array.from({ length: 1 + random.skewedBelow(6) }, () => random.pick(this.cast.people).id),
    );
    const emoji = random.happens(0.5) ? OCTOPUS : THUMBS_UP;
    return people.map((userId) => (messageId) => ({
      type: 'ReactionAdded',
      data: { messageId, userId, emoji },
    }));
  }
}

function edited({ senderId }: Sent['data']): object {
  const mentions = { userIds: [], groups: [], channelWildcard: false, topicWildcard: false };
  return { senderId, references: {}, mentions, move: null };
}

function rising(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((one, other) => one - other);
}

function metadataOf(actorId: number, at: number): EventMetadata {
  return { actorId, commandId: randomCommandId(at), causationId: null, client: 'bench', at };
}
