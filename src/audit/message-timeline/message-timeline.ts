import type { EventLog } from '../../stores/event-store/event-log.js';
import { isEvent, type RecordedEvent } from '../../kernel/event.js';
import { revisionOfId } from '../../kernel/ids.js';
import { messageEvents, MESSAGES_STREAM, messageStream, type MessageEvent } from '../../events/messages.js';
import { moveEvents, type MoveEvent } from '../../events/message-moves.js';
import { pagesOfStream } from '../../stores/event-store/port.js';
import {
  decodeReadable,
  type LoggedEvent,
  type UnreadableEvent,
} from '../../stores/event-store/readable-events.js';
import { MessageTrack, type PlacementBefore, type MessageLocation } from './message-track.js';
import { textChanges, type TextChange } from './text-changes.js';

type Step = RecordedEvent<MessageEvent | MoveEvent> | UnreadableEvent;

/** What happened to a message. */
export type TimelineChange =
  | { readonly kind: 'sent'; readonly content: string; readonly location: MessageLocation }
  | { readonly kind: 'edited'; readonly content: string; readonly changes: readonly TextChange[] }
  | { readonly kind: 'moved'; readonly from: MessageLocation; readonly to: MessageLocation }
  | { readonly kind: 'reaction-added' | 'reaction-removed'; readonly emoji: string; readonly userId: number }
  | { readonly kind: 'submessage-attached'; readonly content: string; readonly userId: number }
  | { readonly kind: 'deleted' }
  /** An event that cannot be read, and that was about the message or may have moved it. */
  | { readonly kind: 'unreadable'; readonly type: string; readonly reason: string };

/** One step of a message's history. */
export interface TimelineStep {
  readonly position: number;
  readonly eventId: string;
  /** Milliseconds since the UNIX epoch. */
  readonly at: number;
  readonly actorId: number | null;
  readonly client: string;
  /** Whether the key of the text was destroyed, so that the text is a placeholder. */
  readonly erased: boolean;
  readonly change: TimelineChange;
  readonly event: Step;
}

/** Everything that ever happened to a message. */
export interface MessageTimeline {
  readonly messageId: number;
  /** Null: the event that sent it cannot be read. */
  readonly senderId: number | null;
  readonly steps: readonly TimelineStep[];
}

/** How to read a history. */
export interface TimelineOptions {
  readonly placementBefore: PlacementBefore;
  /**
   * Returns the moves after a position, in any order, that may have included the message; absent: the log is searched
   * for all moves.
   */
  readonly movesAfter?: (position: number) => Promise<readonly LoggedEvent[]>;
  /** Called before each step; an error thrown by it ends the reading. */
  readonly onStep?: () => void;
}

function isStep(event: RecordedEvent | UnreadableEvent): event is Step {
  return 'unreadable' in event || isEvent(event, ...messageEvents, ...moveEvents);
}

const PAGE = 1_000;
/** The types of events that may move messages. */
export const moveTypes = moveEvents.map(({ type }) => type);

/** Reads the history of a message from the log, also after its deletion. @returns null when no message has this id */
export async function readMessageTimeline(
  log: EventLog,
  messageId: number,
  {
    placementBefore,
    onStep = () => {},
    movesAfter = (position) => scannedMoves(log, position, onStep),
  }: TimelineOptions,
): Promise<MessageTimeline | null> {
  const from = revisionOfId(messageId);
  const stored = await log.store.readStream(MESSAGES_STREAM, { from, limit: 1 });
  const [first] = await decodeReadable(log, stored);
  if (first?.revision !== from) return null;
  const timeline = new TimelineBuilder(messageId, placementBefore);
  if (isStep(first)) await timeline.take(first);
  for (const event of await changesOf(log, { messageId, onStep, moves: movesAfter(first.position) })) {
    onStep();
    await timeline.take(event);
  }
  return { messageId, senderId: timeline.senderId, steps: timeline.steps };
}

/** The events of the message's own stream, and every move that could concern it, in log order. */
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
  for await (const page of pagesOfStream(log.store, messageStream(messageId), { pageSize: PAGE })) {
    onStep();
    events.push(...(await decodeReadable(log, page)));
  }
  return events.sort((one, other) => one.position - other.position).filter(isStep);
}

/** Every move after a position, in log order, found by reading the log. @param onStep called for each page */
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

class TimelineBuilder {
  readonly steps: TimelineStep[] = [];
  senderId: number | null = null;
  private content = '';
  private readonly track: MessageTrack;

  constructor(messageId: number, placementBefore: PlacementBefore) {
    this.track = new MessageTrack(messageId, placementBefore);
  }

  async take(event: Step): Promise<void> {
    if ('unreadable' in event) return this.noteUnreadable(event);
    switch (event.type) {
      case 'MessageSent': {
        const { content, recipient: location, senderId } = event.data;
        this.content = content;
        this.track.lies(location);
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
        this.track.deleted();
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
      case 'TopicUnresolved': {
        const taken = await this.track.moved(event);
        return taken === null ? undefined : this.note(event, { kind: 'moved', ...taken });
      }
      default:
    }
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

  private note(event: RecordedEvent<MessageEvent | MoveEvent>, change: TimelineChange): void {
    const { id: eventId, position, erased, metadata } = event;
    const { at, actorId, client } = metadata;
    this.steps.push({ position, eventId, at, actorId, client, erased, change, event });
  }
}
