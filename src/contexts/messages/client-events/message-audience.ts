import { isSubscribed } from '../../../access/records/subscription.js';
import type { Snapshot } from '../../../access/snapshot.js';
import { messageAccess, type MessagePlace } from '../access.js';
import type { Placements } from '../placements.js';
import { hasId } from '../flags/id-ranges.js';
import type { PersonalFlags } from '../flags/flags.state.js';
import type { User } from '../../../access/records/user.js';

/** The data from which it is decided who may see messages, and for whom they are only history. */
export interface VisibilityContext {
  readonly snapshot: Snapshot;
  readonly placements: Placements;
  /** The flags of everyone who has a client in this process; people who never set a flag are left out. */
  readonly flags: ReadonlyMap<number, PersonalFlags>;
}

/**
 * Whether a person receives client events about changes of a message: a message that they received or starred
 * and may still read, or that lies in a readable history of a channel that they are subscribed to.
 */
export function getsChangesOf(
  place: MessagePlace,
  { snapshot, placements, flags }: VisibilityContext,
): (user: User) => boolean {
  return (user) => {
    const access = messageAccess({ snapshot, user, placements }, place);
    if (access !== 'historical') return access === 'received';
    return (
      isSubscribed(snapshot.directory.subscription(place.channelId ?? 0, user.id)) ||
      hasId(flags.get(user.id)?.adopted ?? [], place._id)
    );
  };
}

/**
 * Like {@link getsChangesOf}, for changes that somebody makes to a message: that person also receives the client
 * event wherever they can see the message. Null: the server itself makes the change.
 */
export function getsActsOn(
  place: MessagePlace,
  actorId: number | null,
  view: VisibilityContext,
): (user: User) => boolean {
  const getsChanges = getsChangesOf(place, view);
  return (user) =>
    user.id === actorId ? messageAccess({ ...view, user }, place) !== 'none' : getsChanges(user);
}
