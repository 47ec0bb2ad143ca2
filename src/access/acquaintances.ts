import { systemGroupIds } from '../events/values/organization-defaults.js';
import type { DirectConversations } from './direct-conversations.js';
import type { Directory } from './directory.js';
import type { Snapshot } from './snapshot.js';
import { holds } from './organization-permission.js';
import { isSubscribed } from './records/subscription.js';
import type { User } from './records/user.js';

/** Whether the organization hides people from its guests: whoever does not know somebody is shown a placeholder. */
export function hidesPeople({ directory }: Pick<Snapshot, 'directory'>): boolean {
  const setting = directory.organization?.permissions.can_access_all_users_group;
  return setting !== undefined && setting !== systemGroupIds.everyone;
}

/** Whether nobody is hidden from the person. The server's own bots speak of whomever they are made to speak of. */
export function isShownEveryone(snapshot: Snapshot, viewer: User): boolean {
  return (
    !hidesPeople(snapshot) ||
    viewer.bot?.isSystem === true ||
    holds(snapshot, viewer, 'can_access_all_users_group')
  );
}

/** Who looks at people: with whom they talked directly stands in no directory, and is looked up. */
export interface Acquainted {
  readonly viewer: User;
  readonly conversations: DirectConversations;
}

/** Whether the person may know who an account is: everyone's, or that of an acquaintance. */
export function mayKnow(snapshot: Snapshot, acquainted: Acquainted, user: User): boolean {
  return isShownEveryone(snapshot, acquainted.viewer) || isAcquainted(snapshot, acquainted, user);
}

/**
 * Whom a person knows even where people are hidden from them: themselves, bots, whoever is in a channel with them, and whom they ever
 * talked with directly (ADR 37).
 */
export function isAcquainted(
  { directory }: Snapshot,
  { viewer, conversations }: Acquainted,
  user: User,
): boolean {
  if (user.id === viewer.id || user.bot !== null) return true;
  return meetInChannel(directory, viewer, user) || conversations.had(viewer.id, user.id);
}

/** Whether two accounts are in the same channel: deactivated ones are in none. */
function meetInChannel(directory: Directory, one: User, other: User): boolean {
  return one.isActive && other.isActive && shareChannel(directory, [one.id, other.id]);
}

/** Whether two accounts are subscribed to the same channel, leaving one channel out of account where it is named. */
export function shareChannel(
  directory: Directory,
  [one, other]: readonly [number, number],
  except: number | null = null,
): boolean {
  for (const subscription of directory.subscriptionsOfUser(one)) {
    const { channelId } = subscription;
    if (channelId === except || !isSubscribed(subscription)) continue;
    if (isSubscribed(directory.subscription(channelId, other))) return true;
  }
  return false;
}
