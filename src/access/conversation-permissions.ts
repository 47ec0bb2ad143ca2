import type { User } from './records/user.js';
import type { Snapshot } from './snapshot.js';
import { hasPermission } from './membership.js';

/** Whether the sender may begin a direct conversation with these people, the sender included. */
export function mayStartConversation(
  snapshot: Snapshot,
  sender: User,
  participants: readonly User[],
): boolean {
  return (
    needsNoPermission(sender, participants) ||
    hasPermission(snapshot, sender, 'direct_message_initiator_group')
  );
}

/**
 * Whether the sender may write in a direct conversation of these people, the sender included: one of them
 * must have the permission.
 */
export function permitsConversation(
  snapshot: Snapshot,
  sender: User,
  participants: readonly User[],
): boolean {
  return (
    needsNoPermission(sender, participants) ||
    participants.some((participant) =>
      hasPermission(snapshot, participant, 'direct_message_permission_group'),
    )
  );
}

/** Conversations with bots, and with oneself, need no permission. */
function needsNoPermission(sender: User, participants: readonly User[]): boolean {
  return sender.bot !== null || participants.every(({ id, bot }) => bot !== null || id === sender.id);
}

/** Whether the person may mention everyone in a large channel or topic. */
export function mayMentionMany(snapshot: Snapshot, user: User): boolean {
  return isServerBot(user) || hasPermission(snapshot, user, 'can_mention_many_users_group');
}

function isServerBot(user: User): boolean {
  return user.bot?.isSystem === true;
}
