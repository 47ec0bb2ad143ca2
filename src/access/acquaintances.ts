import { systemGroupIds } from '../events/values/organization-defaults.js';
import type { DirectConversations } from './direct-conversations.js';
import type { Directory } from './directory.js';
import type { Snapshot } from './snapshot.js';
import { hasPermission } from './membership.js';
import { isSubscribed } from './records/subscription.js';
import type { User } from './records/user.js';

/**
 * Whether the organization hides people from its guests: they see a placeholder for people whom they do not
 * know.
 */
export function hidesPeople({ directory }: Pick<Snapshot, 'directory'>): boolean {
  const setting = directory.organization?.permissions.can_access_all_users_group;
  return setting !== undefined && setting !== systemGroupIds.everyone;
}

/** Whether nobody is hidden from the person. The server's own bots may mention anybody. */
export function isShownEveryone(snapshot: Snapshot, viewer: User): boolean {
  return (
    !hidesPeople(snapshot) ||
    viewer.bot?.isSystem === true ||
    hasPermission(snapshot, viewer, 'can_access_all_users_group')
  );
}

/** A viewer with their direct conversations, which are not in the directory and have to be looked up. */
interface ViewerWithConversations {
  readonly viewer: User;
  readonly conversations: DirectConversations;
}

/** Whether the person may know who an account is: always, or only for people whom they know. */
export function mayKnow(snapshot: Snapshot, acquainted: ViewerWithConversations, user: User): boolean {
  return isShownEveryone(snapshot, acquainted.viewer) || isAcquainted(snapshot, acquainted, user);
}

/**
 * Whether a person knows another one even if people are hidden from them: themselves, bots, people in a
 * channel with them, and people whom they ever talked with directly (ADR 37).
 */
export function isAcquainted(
  { directory }: Snapshot,
  { viewer, conversations }: ViewerWithConversations,
  user: User,
): boolean {
  if (user.id === viewer.id || user.bot !== null) return true;
  return meetInChannel(directory, viewer, user) || conversations.had(viewer.id, user.id);
}

/** Whether two accounts share a channel; deactivated accounts are in no channel. */
function meetInChannel(directory: Directory, one: User, other: User): boolean {
  return one.isActive && other.isActive && shareChannel(directory, [one.id, other.id]);
}

/**
 * Whether two accounts are subscribed to the same channel, ignoring the channel `except`; null: ignoring
 * none.
 */
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
