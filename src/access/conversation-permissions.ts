import type { User } from './records/user.js';
import type { Snapshot } from './snapshot.js';
import { holds } from './organization-permission.js';

/** Whether the sender may begin to talk directly with these people, the sender among them, who have not talked yet. */
export function mayStartConversation(
  snapshot: Snapshot,
  sender: User,
  participants: readonly User[],
): boolean {
  return needsNoPermission(sender, participants) || holds(snapshot, sender, 'direct_message_initiator_group');
}

/** Whether the sender may talk directly with these people, the sender among them: one of them must hold the permission. */
export function permitsConversation(
  snapshot: Snapshot,
  sender: User,
  participants: readonly User[],
): boolean {
  return (
    needsNoPermission(sender, participants) ||
    participants.some((participant) => holds(snapshot, participant, 'direct_message_permission_group'))
  );
}

/** Bots talk with everyone, and everyone with bots and with themselves. */
function needsNoPermission(sender: User, participants: readonly User[]): boolean {
  return sender.bot !== null || participants.every(({ id, bot }) => bot !== null || id === sender.id);
}

/** Whether the person may mention everyone of a large channel or topic (specification, "Errors"). */
export function mayMentionMany(snapshot: Snapshot, user: User): boolean {
  return isServerBot(user) || holds(snapshot, user, 'can_mention_many_users_group');
}

function isServerBot(user: User): boolean {
  return user.bot?.isSystem === true;
}
