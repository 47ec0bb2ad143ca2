import type { RecordedEvent } from '../../kernel/event.js';
import { targetChannelOf, type MoveEvent } from '../../events/message-moves.js';
import type { Recipient } from '../../events/messages.js';
import { topicKey } from '../../events/values/message-text.js';
import { isInRange } from '../../kernel/ids.js';

/** The place that a message is in. */
export type MessageLocation = Recipient;

/** A move, for {@link PlacementBefore}. */
interface BeforeMove {
  /** Position of the move's event. */
  readonly position: number;
  /** How often the message had been moved to another channel before. */
  readonly channelChanges: number;
}

/**
 * Returns how the message came to its channel before a move, as the read model numbers it (see `placements.ts`); null:
 * unknown.
 */
export type PlacementBefore = (messageId: number, before: BeforeMove) => Promise<number | null>;

/** The places from which and to which a move took a message. */
interface TakenAlong {
  readonly from: MessageLocation;
  readonly to: MessageLocation;
}

/** Follows a message through the log, and decides which moves included it. */
export class MessageTrack {
  /** Null: not known. */
  private location: MessageLocation | null = null;
  private isDeleted = false;
  /**
   * How often it was moved to another channel. Which moves can include it depends on how it came to its present
   * channel.
   */
  private channelChanges = 0;

  constructor(
    private readonly messageId: number,
    private readonly placementBefore: PlacementBefore,
  ) {}

  /** Sets its present place, and how often it had been moved to another channel by then. */
  lies(at: MessageLocation, channelChanges = 0): void {
    this.location = at;
    this.channelChanges = channelChanges;
  }

  /** Notes its deletion: nothing moves it any more. */
  deleted(): void {
    this.isDeleted = true;
  }

  /** Applies the next move of the log. @returns null: the move did not include the message */
  async moved(event: RecordedEvent<MoveEvent>): Promise<TakenAlong | null> {
    const from = this.location;
    if (from?.type !== 'channel' || !(await this.isTakenBy(event, from))) return null;
    const channelId = targetChannelOf(event);
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
    if (!isInRange(messageId, selection.bounds)) return false;
    if (selection.visible === null) return true;
    const arrival =
      channelChanges === 0 ? 0 : await this.placementBefore(messageId, { position, channelChanges });
    return selection.visible.some(
      (range) => isInRange(messageId, range) && isOfPlacement(arrival, range.arrivals),
    );
  }
}

function isOfPlacement(arrival: number | null, arrivals: readonly number[] | null): boolean {
  return arrivals === null ? arrival === 0 : arrival !== null && arrivals.includes(arrival);
}
