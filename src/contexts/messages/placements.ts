import { LRUCache } from 'lru-cache';
import { hasReceived, wasSubscribedAt } from '../../access/records/subscription.js';
import { PerDirectoryState, type Directory } from '../../access/directory.js';
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

/** The person whose visibility is determined, and the directory that it is determined from. */
interface Receiver {
  readonly directory: Directory;
  readonly user: User;
}

/** A message in a channel, with the number of its placement there. */
interface MessageInChannel {
  readonly id: number;
  readonly channelId: number;
  readonly arrival: number;
}

/** What a person can see of the messages of a placement, as the result of all moves since they were sent. */
interface VisibilityAfterMoves {
  readonly visibility: PlacementVisibility;
  /**
   * The channel that the messages were sent to, if a person who received them there could still see them after each move; null: they
   * could not.
   */
  readonly keptSince: number | null;
}

const notKept: VisibilityAfterMoves = { visibility: 'none', keptSince: null };

/** The traces of one person, by the numbers of placements. */
type Traces = Map<number, VisibilityAfterMoves>;

/** Number of people whose traces are kept. */
const MAX_RECEIVERS = 32;

/**
 * Every placement so far. Their number grows with the moves between channels, not with the messages that were
 * moved.
 */
export class Placements {
  private readonly byId = new Map<number, Placement>();
  private readonly byChannel = new Map<number, Placement[]>();
  /** By the id of the person. */
  private readonly traces = new PerDirectoryState<LRUCache<number, Traces>>();

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
    return this.traceOf(arrival, receiver).visibility;
  }

  /** How a message that has this placement (0: it was sent to the channel) became visible to a person. */
  messageVisibility(
    { id, channelId, arrival: number }: MessageInChannel,
    receiver: Receiver,
  ): MessageVisibility {
    const arrival = this.byId.get(number);
    // An unknown placement is newer than this state: that move may have taken the message away from the person.
    if (number !== 0 && arrival === undefined) return 'none';
    const trace = arrival === undefined ? null : this.traceOf(arrival, receiver);
    const sentTo = trace === null ? channelId : trace.keptSince;
    if (sentTo !== null && hasReceived(receiver.directory.subscription(sentTo, receiver.user.id), id))
      return 'received';
    return trace?.visibility === 'all' ? 'given' : 'none';
  }

  /** Follows the placements back, each only once for a person: a message may have been moved very many times. */
  private traceOf(arrival: Placement, receiver: Receiver): VisibilityAfterMoves {
    const known = this.tracesOf(receiver);
    const unknown: Placement[] = [];
    let next: Placement | undefined = arrival;
    while (next !== undefined && !known.has(next._id)) {
      unknown.push(next);
      next = this.byId.get(next.previous);
    }
    let trace = next && known.get(next._id);
    for (const placement of unknown.reverse()) {
      trace = traceAfter(placement, trace, receiver);
      known.set(placement._id, trace);
    }
    return trace!;
  }

  /** What is known of a person by this state of the directory. */
  private tracesOf({ directory, user }: Receiver): Traces {
    const known = this.traces.of(directory, () => new LRUCache({ max: MAX_RECEIVERS }));
    const traces = known.get(user.id) ?? new Map<number, VisibilityAfterMoves>();
    known.set(user.id, traces);
    return traces;
  }
}

function traceAfter(
  placement: Placement,
  before: VisibilityAfterMoves | undefined,
  receiver: Receiver,
): VisibilityAfterMoves {
  if (!hasAfterMove(placement, receiver)) return notKept;
  const { previousChannelId: sentTo, reception } = placement;
  const { visibility, keptSince } = before ?? { visibility: { sentIn: sentTo }, keptSince: sentTo };
  return { keptSince, visibility: reception.kind === 'given to subscribers' ? 'all' : visibility };
}

/** Whether a person who had the messages kept them when they were moved, or was given them by the move. */
export function hasAfterMove(
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
