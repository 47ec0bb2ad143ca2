import { normalizeTopic } from '../../events/values/message-text.js';
import type { Recipient } from '../../events/messages.js';
import { refuseRecipient } from '../messages/recipients.js';
import type { Moment } from '../../access/moment.js';
import { failure } from '../../kernel/errors.js';
import type { User } from '../../access/records/user.js';

/** Where somebody types, as a request names it. */
export type TypingPlace =
  | { readonly type: 'channel'; readonly channelId: number; readonly topic: string }
  | { readonly type: 'direct'; readonly userIds: readonly number[] };

/**
 * Where a person types: everyone in the conversation, themselves included, or a topic of a channel.
 *
 * @throws ApplicationError where they may not send, for nobody to send to, and `typingNotShown` for who does not want it told
 */
export function typingRecipient(moment: Moment, sender: User, place: TypingPlace): Recipient {
  const recipient = recipientOf(moment, sender, place);
  const isShown =
    recipient.type === 'channel' ? 'send_stream_typing_notifications' : 'send_private_typing_notifications';
  if (!moment.directory.settings.value(sender.id, isShown)) {
    throw failure('typingNotShown', { reason: recipient.type });
  }
  refuseRecipient({ moment, sender, recipient, isNewConversation: false });
  return recipient;
}

function recipientOf({ directory }: Moment, sender: User, place: TypingPlace): Recipient {
  if (place.type === 'channel') return { ...place, topic: normalizeTopic(place.topic) };
  if (place.userIds.length === 0) throw failure('typingToNobody');
  for (const userId of place.userIds) {
    if (directory.user(userId) === null) throw failure('invalidUserId', { reason: userId });
  }
  const userIds = [...new Set([...place.userIds, sender.id])].sort((a, b) => a - b);
  return { type: 'direct', userIds };
}
