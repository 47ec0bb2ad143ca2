import type { RecordedEvent } from '../kernel/event.js';
import type { MoveEvent, MoveSelection } from '../events/message-moves.js';
import type { Recipient } from '../events/messages.js';
import { topicKey } from '../events/values/message-text.js';

/** Where a message lies. */
export type MessageLocation = Recipient;

/** When it is asked how a message came to its channel. */
export interface BeforeMove {
  /** Of the move's event. */
  readonly position: number;
  /** How often the message had come to another channel before. */
  readonly channelChanges: number;
}

/** How the message came to its channel before a move, as the read model numbers it (see `placements.ts`); null: that is not known. */
export type ArrivalBefore = (messageId: number, before: BeforeMove) => Promise<number | null>;

/** From where to where a move took a message. */
export interface TakenAlong {
  readonly from: MessageLocation;
  readonly to: MessageLocation;
}

/** Where a message lies, as it is followed through the log: which moves take it along. */
export class MessageTrack {
  /** Null: not known. */
  private location: MessageLocation | null = null;
  private isDeleted = false;
  /** How often it came to another channel: which moves could take it along then depends on how. */
  private channelChanges = 0;

  constructor(
    private readonly messageId: number,
    private readonly arrivalBefore: ArrivalBefore,
  ) {}

  /** Takes note of where it lies: where it was sent, or came after so many changes of channel. */
  lies(at: MessageLocation, channelChanges = 0): void {
    this.location = at;
    this.channelChanges = channelChanges;
  }

  /** Takes note of its deletion: nothing moves it any more. */
  deleted(): void {
    this.isDeleted = true;
  }

  /** Takes note of a move that comes next in the log. @returns null: it left the message where it was */
  async moved(event: RecordedEvent<MoveEvent>): Promise<TakenAlong | null> {
    const from = this.location;
    if (from?.type !== 'channel' || !(await this.isTakenBy(event, from))) return null;
    const channelId = newChannelOf(event) ?? from.channelId;
    if (channelId !== from.channelId) this.channelChanges += 1;
    this.location = { type: 'channel', channelId, topic: event.data.newTopic };
    return { from, to: this.location };
  }

  private async isTakenBy(
    { data, position }: RecordedEvent<MoveEvent>,
    from: Extract<MessageLocation, { type: 'channel' }>,
  ): Promise<boolean> {
    const { selection } = data;
    const { messageId, channelChanges } = this;
    if (this.isDeleted || from.channelId !== selection.channelId) return false;
    if (topicKey(from.topic) !== topicKey(selection.topic)) return false;
    if (!isWithin(messageId, selection.bounds)) return false;
    if (selection.visible === null) return true;
    const arrival =
      channelChanges === 0 ? 0 : await this.arrivalBefore(messageId, { position, channelChanges });
    return selection.visible.some(
      (stretch) => isWithin(messageId, stretch) && isOfArrival(arrival, stretch.arrivals),
    );
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
