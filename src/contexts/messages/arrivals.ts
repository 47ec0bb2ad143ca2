import { hasReceived, wasSubscribedAt } from '../../access/records/subscription.js';
import type { Directory } from '../../access/directory.js';
import { isGuest } from '../../access/records/roles.js';
import type { User } from '../../access/records/user.js';
import type { Reception } from '../../events/message-moves.js';

/**
 * How messages came to the channel where they lie: those of one move that had come to the channel before in the same way, if
 * not all of them were sent there.
 */
export type Arrival = {
  /** From 1, in log order. */
  readonly _id: number;
  /** How they had come to the channel before; 0: they were sent there. */
  readonly previous: number;
  readonly previousChannelId: number;
  readonly channelId: number;
  readonly reception: Reception;
};

/** What of the messages of an arrival reached a person: all, none, or those sent while they were in that channel. */
export type Reach = 'all' | 'none' | { readonly sentIn: number };

/** How a message reached a person; what a move gave them counts as read. */
export type Receipt = 'received' | 'given' | 'none';

/** Whose view of arrivals it is. */
export interface Receiver {
  readonly directory: Directory;
  readonly user: User;
}

/** Every arrival so far: as many as moves between channels, however many messages those moved. */
export class Arrivals {
  private readonly byId = new Map<number, Arrival>();
  private readonly byChannel = new Map<number, Arrival[]>();

  /** Number of the last one; 0 when there is none. */
  last = 0;

  /** Takes note of the next ones, rising. */
  add(arrivals: readonly Arrival[]): void {
    for (const arrival of arrivals) {
      if (arrival._id <= this.last) continue;
      this.last = arrival._id;
      this.byId.set(arrival._id, arrival);
      const inChannel = this.byChannel.get(arrival.channelId);
      if (inChannel === undefined) this.byChannel.set(arrival.channelId, [arrival]);
      else inChannel.push(arrival);
    }
  }

  get(number: number): Arrival | null {
    return this.byId.get(number) ?? null;
  }

  to(channelId: number): readonly Arrival[] {
    return this.byChannel.get(channelId) ?? [];
  }

  channelIds(): Iterable<number> {
    return this.byChannel.keys();
  }

  /** What of an arrival's messages a person has. */
  reach(arrival: Arrival, receiver: Receiver): Reach {
    const { previous, previousChannelId, reception } = arrival;
    if (!passes(arrival, receiver)) return 'none';
    if (reception.kind === 'given to subscribers') return 'all';
    const before = this.byId.get(previous);
    return before === undefined ? { sentIn: previousChannelId } : this.reach(before, receiver);
  }

  /** How a message that came to its channel by this arrival (0: that was sent there) reached a person. */
  receipt(
    message: { readonly id: number; readonly channelId: number; readonly arrival: number },
    receiver: Receiver,
  ): Receipt {
    const { id, channelId } = message;
    const arrival = this.byId.get(message.arrival);
    if (message.arrival === 0) {
      return hasReceived(receiver.directory.subscription(channelId, receiver.user.id), id)
        ? 'received'
        : 'none';
    }
    // One that is not known of yet may have taken the message away.
    if (arrival === undefined || !passes(arrival, receiver)) return 'none';
    const before = this.receipt(
      { id, channelId: arrival.previousChannelId, arrival: arrival.previous },
      receiver,
    );
    return before === 'none' && arrival.reception.kind === 'given to subscribers' ? 'given' : before;
  }
}

/** Whether a person who had the messages kept them, or was given them. */
export function passes(
  { channelId, reception: { kind, revision } }: Pick<Arrival, 'channelId' | 'reception'>,
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
 * What the past of a channel is to those whose messages come to it: whoever is not subscribed to it has them no longer as their own
 * (older moves to public channels left them to everyone).
 */
export function receptionIn(
  privacy: { readonly historyPublicToSubscribers: boolean },
  revision: number,
): Reception {
  return {
    kind: privacy.historyPublicToSubscribers ? 'kept by subscribers' : 'given to subscribers',
    revision,
  };
}
