import { isSubscribed } from '../../../access/records/subscription.js';
import type { User } from '../../../access/records/user.js';
import { messageAccess, type MessagePlace, channelHistory } from '../access.js';
import type { MoveDocument } from '../moves/move-documents.js';
import { type VisibilityContext, getsActsOn } from './message-audience.js';

/** Which of the moved messages a user could see before, and which they can see now. */
export interface Visibility<Message> {
  readonly user: User;
  readonly before: readonly Message[];
  readonly after: readonly Message[];
}

/** The messages as everybody sees them, and the account that moved them; null: the server did. */
export interface MoveView extends VisibilityContext {
  readonly actorId: number | null;
}

/** Returns a function that computes a user's visibility once, however many clients they have. */
export function visibilityOf<Message extends MessagePlace>(
  { move, messages }: { readonly move: MoveDocument; readonly messages: readonly Message[] },
  view: MoveView,
): (user: User) => Visibility<Message> {
  const after = messages.map((message) => ({ message, place: message }));
  const before = after.map(({ message }) => ({ message, place: placeBefore(message, move, view) }));
  const knownByUser = new Map<number, Visibility<Message>>();
  return (user) => {
    let known = knownByUser.get(user.id);
    if (known === undefined) {
      const reached = visibleTo(after, user, view);
      const isHere = move.channelId === move.newChannelId;
      const had = isHere ? reached : visibleTo(before, user, view);
      const kept = isHere ? reached : withVisible(reached, { had, after, user, view });
      knownByUser.set(user.id, (known = { user, before: had, after: kept }));
    }
    return known;
  };
}

/**
 * The messages that a user can see after a move to another channel: those that they get client events about there, and
 * those that they got client events about before and may still read as history.
 */
function withVisible<Message extends MessagePlace>(
  reached: readonly Message[],
  {
    had,
    after,
    user,
    view,
  }: {
    readonly had: readonly Message[];
    readonly after: readonly PlacedMessage<Message>[];
    readonly user: User;
    readonly view: MoveView;
  },
): readonly Message[] {
  if (had.length === 0) return reached;
  const [own, before] = [new Set(reached), new Set(had)];
  return after.flatMap(({ message, place }) => {
    const isVisible = before.has(message) && messageAccess({ ...view, user }, place) !== 'none';
    return own.has(message) || isVisible ? [message] : [];
  });
}

interface PlacedMessage<Message> {
  readonly message: Message;
  readonly place: MessagePlace;
}

function placeBefore(
  { _id, channelId, arrival, givenToIds }: MessagePlace,
  move: MoveDocument,
  { placements }: VisibilityContext,
): MessagePlace {
  if (move.channelId === move.newChannelId) {
    return { _id, channelId, arrival, participantIds: null, givenToIds };
  }
  const previous = placements.get(arrival)?.previous ?? 0;
  return { _id, channelId: move.channelId, arrival: previous, participantIds: null, givenToIds };
}

/**
 * The messages that a user gets client events about. They are not checked one by one if the user is subscribed to a
 * channel with open history, because then these are all messages.
 */
function visibleTo<Message>(
  placed: readonly PlacedMessage<Message>[],
  user: User,
  view: MoveView,
): readonly Message[] {
  const { directory } = view.snapshot;
  const channel = directory.channel(placed[0]?.place.channelId ?? 0);
  if (channel === null) return [];
  const history = channelHistory(view.snapshot, user, channel);
  // A bot may have been given some of the messages by mentions, even if it may not read the channel.
  if (history === 'none' && user.bot === null) return [];
  const hasAll = history === 'all' && isSubscribed(directory.subscription(channel.id, user.id));
  const kept = hasAll ? placed : placed.filter(({ place }) => getsActsOn(place, view.actorId, view)(user));
  return kept.map(({ message }) => message);
}
