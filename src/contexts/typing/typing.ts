import type { Directory } from '../../access/directory.js';
import type { Knows } from '../../access/known-people.js';
import type { Snapshot } from '../../access/snapshot.js';
import { normalizeTopic } from '../../events/values/message-text.js';
import { isSubscribed } from '../../access/records/subscription.js';
import type { Recipient } from '../../events/messages.js';
import { failure } from '../../kernel/errors.js';
import { sortedIds } from '../../kernel/ids.js';
import { messageAccess, type MessagePlace, type Viewer } from '../messages/access.js';
import { refuseRecipient } from '../messages/sending/recipients.js';
import type { User } from '../../access/records/user.js';

/** Where somebody types, as a request names it. */
export type TypingPlace =
  | { readonly type: 'channel'; readonly channelId: number; readonly topic: string }
  | { readonly type: 'direct'; readonly userIds: readonly number[] };

/** Who types, and whom they may know. */
interface Typist {
  readonly snapshot: Snapshot;
  readonly sender: User;
  readonly knows: Knows;
}

/**
 * Where a person types: everyone in the conversation, themselves included, or a topic of a channel.
 *
 * @throws ApplicationError where they may not send, `recipientNotKnown` for people whom they may not know included; for
 * an empty list of people; and `typingNotShown` for people who turned typing notifications off
 */
export function typingRecipient({ snapshot, sender, knows }: Typist, place: TypingPlace): Recipient {
  const recipient = recipientOf(snapshot, sender, place);
  refuseHidden(snapshot, sender, recipient);
  refuseRecipient({ snapshot, sender, recipient, isNewConversation: false, knows });
  return recipient;
}

/** @throws ApplicationError `typingNotShown` for people who turned typing notifications off */
export function refuseHidden({ directory }: Snapshot, sender: User, { type }: Pick<Recipient, 'type'>): void {
  const isShown =
    type === 'channel' ? 'send_stream_typing_notifications' : 'send_private_typing_notifications';
  if (!directory.settings.value(sender.id, isShown)) throw failure('typingNotShown', { reason: type });
}

/** In channels with more subscribers, neither typing nor editing is shown. */
const MAX_SUBSCRIBERS = 100;

function isSmall(directory: Directory, channelId: number): boolean {
  return directory.subscriberCount(channelId) <= MAX_SUBSCRIBERS;
}

/** Whether it is shown that somebody types in this place. */
export function isTypingShown({ directory }: Snapshot, recipient: Recipient): boolean {
  return recipient.type === 'direct' || isSmall(directory, recipient.channelId);
}

/**
 * Ids of the people who see that somebody edits a message: those in its conversation who can see it, the
 * editor included.
 */
export function editingAudience(viewer: Viewer, place: MessagePlace): readonly number[] {
  const { directory } = viewer.snapshot;
  const { channelId, participantIds } = place;
  if (channelId === null) return participantIds ?? [];
  if (!isSmall(directory, channelId)) return [];
  return [...directory.subscriptionsOf(channelId)].filter(isSubscribed).flatMap(({ userId }) => {
    const user = directory.user(userId);
    return user !== null && messageAccess({ ...viewer, user }, place) !== 'none' ? [userId] : [];
  });
}

function recipientOf({ directory }: Snapshot, sender: User, place: TypingPlace): Recipient {
  if (place.type === 'channel') return { ...place, topic: normalizeTopic(place.topic) };
  if (place.userIds.length === 0) throw failure('typingToNobody');
  for (const userId of place.userIds) {
    if (directory.user(userId) === null) throw failure('invalidUserId', { reason: userId });
  }
  const userIds = sortedIds([...place.userIds, sender.id]);
  return { type: 'direct', userIds };
}
