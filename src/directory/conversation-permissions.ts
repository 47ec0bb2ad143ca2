import type { User } from '../users/user.js';
import type { Moment } from './moment.js';
import { holds } from './organization-permission.js';

/** Whether the person may begin a direct conversation in which nothing was said yet. */
export function mayStartConversation(moment: Moment, user: User): boolean {
  return isServerBot(user) || holds(moment, user, 'direct_message_initiator_group');
}

/**
 * Whether these people may talk directly, the sender among them: one of them must hold the permission. Talking with bots, or
 * with oneself, needs none.
 */
export function permitsConversation(moment: Moment, participants: readonly User[]): boolean {
  const people = participants.filter((participant) => participant.bot === null);
  if (people.length <= 1) return true;
  return (
    participants.some(isServerBot) ||
    participants.some((participant) => holds(moment, participant, 'direct_message_permission_group'))
  );
}

/** Whether the person may mention everyone of a large channel or topic (specification, "Errors"). */
export function mayMentionMany(moment: Moment, user: User): boolean {
  return isServerBot(user) || holds(moment, user, 'can_mention_many_users_group');
}

function isServerBot(user: User): boolean {
  return user.bot?.isSystem === true;
}
