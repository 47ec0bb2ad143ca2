import { hasReceived, wasSubscribedAt } from '../../access/records/subscription.js';
import type { Directory } from '../../access/directory.js';
import { isGuest } from '../../access/records/roles.js';
import type { User } from '../../access/records/user.js';
import type { VisibilityAfterMove } from '../../events/message-moves.js';

/**
 * One group of messages that a move brought to a channel. A move makes one placement for all its messages
 * that had come to the previous channel by the same placement; a group whose messages all were sent to their
 * channel has none.
 */
export type Placement = {
  /** Number from 1, in log order. */
  readonly _id: number;
  /** The placement that the messages had before; 0: they were sent to the previous channel. */
  readonly previous: number;
  readonly previousChannelId: number;
  readonly channelId: number;
  readonly reception: VisibilityAfterMove;
};

/**
 * Which messages of a placement a person has: all, none, or those sent while they were subscribed to that
 * channel.
 */
export type PlacementVisibility = 'all' | 'none' | { readonly sentIn: number };

/**
 * How a message became visible to a person: received, given to them by a move (counts as read), or not at
 * all.
 */
export type MessageVisibility = 'received' | 'given' | 'none';

/** The person whose visibility is asked for, and the directory that it is judged by. */
interface Receiver {
  readonly directory: Directory;
  readonly user: User;
}

/**
 * Every placement so far. Their number grows with the moves between channels, not with the messages that were
 * moved.
 */
export class Placements {
  private readonly byId = new Map<number, Placement>();
  private readonly byChannel = new Map<number, Placement[]>();

  /** Number of the last placement; 0 when there is none. */
  last = 0;

  /** Adds placements in rising order; those that are known already are skipped. */
  add(placements: readonly Placement[]): void {
    for (const arrival of placements) {
      if (arrival._id <= this.last) continue;
      this.last = arrival._id;
      this.byId.set(arrival._id, arrival);
      const inChannel = this.byChannel.get(arrival.channelId);
      if (inChannel === undefined) this.byChannel.set(arrival.channelId, [arrival]);
      else inChannel.push(arrival);
    }
  }

  get(number: number): Placement | null {
    return this.byId.get(number) ?? null;
  }

  to(channelId: number): readonly Placement[] {
    return this.byChannel.get(channelId) ?? [];
  }

  channelIds(): Iterable<number> {
    return this.byChannel.keys();
  }

  /** Which messages of a placement a person has. */
  placementVisibility(arrival: Placement, receiver: Receiver): PlacementVisibility {
    const { previous, previousChannelId, reception } = arrival;
    if (!passes(arrival, receiver)) return 'none';
    if (reception.kind === 'given to subscribers') return 'all';
    const before = this.byId.get(previous);
    return before === undefined ? { sentIn: previousChannelId } : this.placementVisibility(before, receiver);
  }

  /** How a message that has this placement (0: it was sent to the channel) became visible to a person. */
  messageVisibility(
    message: { readonly id: number; readonly channelId: number; readonly arrival: number },
    receiver: Receiver,
  ): MessageVisibility {
    const { id, channelId } = message;
    const arrival = this.byId.get(message.arrival);
    if (message.arrival === 0) {
      return hasReceived(receiver.directory.subscription(channelId, receiver.user.id), id)
        ? 'received'
        : 'none';
    }
    // An unknown placement is newer than this state: that move may have taken the message away from the
    // person.
    if (arrival === undefined || !passes(arrival, receiver)) return 'none';
    const before = this.messageVisibility(
      { id, channelId: arrival.previousChannelId, arrival: arrival.previous },
      receiver,
    );
    return before === 'none' && arrival.reception.kind === 'given to subscribers' ? 'given' : before;
  }
}

/** Whether a person who had the messages kept them when they were moved, or was given them by the move. */
export function passes(
  { channelId, reception: { kind, revision } }: Pick<Placement, 'channelId' | 'reception'>,
  { directory, user }: Receiver,
): boolean {
  const wasSubscribed = (): boolean => wasSubscribedAt(directory.subscription(channelId, user.id), revision);
  switch (kind) {
    case 'kept by all':
      return true;
    case 'kept by all but guests':
      return !isGuest(user) || wasSubscribed();
    case 'kept by subscribers':
    case 'given to subscribers':
      return wasSubscribed();
  }
}

/**
 * What a move does to the visibility of its messages in a channel with these settings: only subscribers keep
 * or get them. (Older moves to public channels, in the log, left them to everyone.)
 */
export function visibilityAfterMove(
  privacy: { readonly historyPublicToSubscribers: boolean },
  revision: number,
): VisibilityAfterMove {
  return {
    kind: privacy.historyPublicToSubscribers ? 'kept by subscribers' : 'given to subscribers',
    revision,
  };
}
