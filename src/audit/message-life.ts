import type { EventLog } from '../stores/event-store/event-log.js';
import { isEvent, type RecordedEvent } from '../kernel/event.js';
import {
  messageEvents,
  messagesStream,
  messageStream,
  type MessageEvent,
  type Recipient,
} from '../events/messages.js';
import { moveEvents, type MoveEvent, type MoveSelection } from '../events/message-moves.js';
import { decodeReadable, type UnreadableEvent } from '../stores/event-store/readable-events.js';
import { topicKey } from '../events/values/message-text.js';
import { textChanges, type TextChange } from './text-changes.js';

/** Where a message lies. */
export type MessageLocation = Recipient;

type LoggedEvent = RecordedEvent | UnreadableEvent;
type Step = RecordedEvent<MessageEvent | MoveEvent> | UnreadableEvent;

/** What became of a message. */
export type LifeChange =
  | { readonly kind: 'sent'; readonly content: string; readonly location: MessageLocation }
  | { readonly kind: 'edited'; readonly content: string; readonly changes: readonly TextChange[] }
  | { readonly kind: 'moved'; readonly from: MessageLocation; readonly to: MessageLocation }
  | { readonly kind: 'reaction-added' | 'reaction-removed'; readonly emoji: string; readonly userId: number }
  | { readonly kind: 'submessage-attached'; readonly content: string; readonly userId: number }
  | { readonly kind: 'deleted' }
  /** An event that cannot be read, and that was about it, or may have moved it. */
  | { readonly kind: 'unreadable'; readonly type: string; readonly reason: string };

/** One step of a message's life. */
export interface LifeStep {
  readonly position: number;
  readonly eventId: string;
  /** Milliseconds since the UNIX epoch. */
  readonly at: number;
  readonly actorId: number | null;
  readonly client: string;
  /** Whether the key of what people wrote was destroyed: a placeholder stands in its place. */
  readonly erased: boolean;
  readonly change: LifeChange;
  /** The event itself. */
  readonly event: Step;
}

/** Everything that ever happened to a message. */
export interface MessageLife {
  readonly messageId: number;
  /** Null: its sending cannot be read. */
  readonly senderId: number | null;
  readonly steps: readonly LifeStep[];
}

/** How a life is read. */
export interface LifeOptions {
  readonly arrivalBefore: ArrivalBefore;
  /** Moves after a position, in any order, those that took the message along among them; absent: the log is looked through for all moves. */
  readonly movesAfter?: (position: number) => Promise<readonly LoggedEvent[]>;
  /** Called before each step; what it throws ends the reading. */
  readonly onStep?: () => void;
}

/** When it is asked how a message came to its channel. */
export interface BeforeMove {
  /** Of the move's event. */
  readonly position: number;
  /** How often the message had come to another channel before. */
  readonly channelChanges: number;
}

/** How the message came to its channel before a move, as the read model numbers it (see `arrivals.ts`); null: that is not known. */
export type ArrivalBefore = (messageId: number, before: BeforeMove) => Promise<number | null>;

function isStep(event: RecordedEvent | UnreadableEvent): event is Step {
  return 'unreadable' in event || isEvent(event, ...messageEvents, ...moveEvents);
}

const PAGE = 1_000;
/** The types of events that may take messages elsewhere. */
export const moveTypes = moveEvents.map(({ type }) => type);

/**
 * Reads a message's life from the log, also after it was deleted.
 *
 * @returns null when no message has this id
 */
export async function readMessageLife(
  log: EventLog,
  messageId: number,
  {
    arrivalBefore,
    onStep = () => {},
    movesAfter = (position) => scannedMoves(log, position, onStep),
  }: LifeOptions,
): Promise<MessageLife | null> {
  const stored = await log.store.readStream(messagesStream, { from: messageId - 1, limit: 1 });
  const [first] = await decodeReadable(log, stored);
  if (first?.revision !== messageId - 1) return null;
  const life = new LifeInProgress(messageId, arrivalBefore);
  if (isStep(first)) await life.take(first);
  for (const event of await changesOf(log, { messageId, onStep, moves: movesAfter(first.position) })) {
    onStep();
    await life.take(event);
  }
  return { messageId, senderId: life.senderId, steps: life.steps };
}

/** What stands in the message's own stream, and every move that could concern it, in log order. */
async function changesOf(
  log: EventLog,
  {
    messageId,
    onStep,
    moves,
  }: {
    readonly messageId: number;
    readonly onStep: () => void;
    readonly moves: Promise<readonly LoggedEvent[]>;
  },
): Promise<readonly Step[]> {
  const events: LoggedEvent[] = [...(await moves)];
  for (let from = 0; ; from += PAGE) {
    const page = await log.store.readStream(messageStream(messageId), { from, limit: PAGE });
    onStep();
    events.push(...(await decodeReadable(log, page)));
    if (page.length < PAGE) break;
  }
  return events.sort((one, other) => one.position - other.position).filter(isStep);
}

/** Every move after a position, in log order: the log is looked through for them. @param onStep called for each page */
export async function scannedMoves(
  log: EventLog,
  after: number,
  onStep: () => void,
): Promise<readonly LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for await (const page of log.store.readAll({ after, types: moveTypes })) {
    onStep();
    events.push(...(await decodeReadable(log, page.events)));
  }
  return events;
}

class LifeInProgress {
  readonly steps: LifeStep[] = [];
  senderId: number | null = null;
  private content = '';
  /** Null: not known. */
  private location: MessageLocation | null = null;
  private isDeleted = false;
  /** How often it came to another channel: which moves could take it along then depends on how. */
  private channelChanges = 0;

  constructor(
    private readonly messageId: number,
    private readonly arrivalBefore: ArrivalBefore,
  ) {}

  async take(event: Step): Promise<void> {
    if ('unreadable' in event) return this.noteUnreadable(event);
    switch (event.type) {
      case 'MessageSent': {
        const { content, recipient: location, senderId } = event.data;
        this.content = content;
        this.location = location;
        this.senderId = senderId;
        return this.note(event, { kind: 'sent', content, location });
      }
      case 'MessageEdited':
        this.note(event, {
          kind: 'edited',
          content: event.data.content,
          changes: textChanges(this.content, event.data.content),
        });
        this.content = event.data.content;
        return;
      case 'MessageDeleted':
        this.isDeleted = true;
        return this.note(event, { kind: 'deleted' });
      case 'ReactionAdded':
      case 'ReactionRemoved': {
        const kind = event.type === 'ReactionAdded' ? 'reaction-added' : 'reaction-removed';
        return this.note(event, { kind, emoji: event.data.emoji.name, userId: event.data.userId });
      }
      case 'SubmessageAttached': {
        const { content, userId } = event.data;
        return this.note(event, { kind: 'submessage-attached', content, userId });
      }
      case 'MessagesMoved':
      case 'TopicResolved':
      case 'TopicUnresolved':
        if (await this.isTakenBy(event)) this.move(event);
        return;
      default:
    }
  }

  private move(event: RecordedEvent<MoveEvent>): void {
    const from = this.location;
    if (from?.type !== 'channel') return;
    const channelId = newChannelOf(event) ?? from.channelId;
    if (channelId !== from.channelId) this.channelChanges += 1;
    this.location = { type: 'channel', channelId, topic: event.data.newTopic };
    this.note(event, { kind: 'moved', from, to: this.location });
  }

  private async isTakenBy({ data, position }: RecordedEvent<MoveEvent>): Promise<boolean> {
    const { selection } = data;
    const { location, messageId, channelChanges } = this;
    if (this.isDeleted || location?.type !== 'channel' || location.channelId !== selection.channelId)
      return false;
    if (topicKey(location.topic) !== topicKey(selection.topic)) return false;
    if (!isWithin(messageId, selection.bounds)) return false;
    if (selection.visible === null) return true;
    const arrival =
      channelChanges === 0 ? 0 : await this.arrivalBefore(messageId, { position, channelChanges });
    return selection.visible.some(
      (stretch) => isWithin(messageId, stretch) && isOfArrival(arrival, stretch.arrivals),
    );
  }

  private noteUnreadable(event: UnreadableEvent): void {
    const { id: eventId, position, type, metadata, unreadable } = event;
    const { at, actorId, client } = metadata;
    this.steps.push({
      position,
      eventId,
      at: typeof at === 'number' ? at : 0,
      actorId: typeof actorId === 'number' ? actorId : null,
      client: typeof client === 'string' ? client : '',
      erased: false,
      change: { kind: 'unreadable', type, reason: unreadable },
      event,
    });
  }

  private note(event: RecordedEvent<MessageEvent | MoveEvent>, change: LifeChange): void {
    const { id: eventId, position, erased, metadata } = event;
    const { at, actorId, client } = metadata;
    this.steps.push({ position, eventId, at, actorId, client, erased, change, event });
  }
}

function newChannelOf({ type, data }: RecordedEvent<MoveEvent>): number | undefined {
  return type === 'MessagesMoved' ? data.newChannel?.channelId : undefined;
}

function isWithin(messageId: number, { after, through }: MoveSelection['bounds']): boolean {
  return messageId > after && (through === null || messageId <= through);
}

function isOfArrival(arrival: number | null, arrivals: readonly number[] | null): boolean {
  return arrivals === null ? arrival === 0 : arrival !== null && arrivals.includes(arrival);
}
