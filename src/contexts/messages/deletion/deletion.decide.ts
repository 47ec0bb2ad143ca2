import type { Actor } from '../../../access/actor.js';
import {
  isOwnMessage,
  mayDeleteAnyMessage,
  mayDeleteOwnMessage,
} from '../../../access/message-permissions.js';
import type { Snapshot } from '../../../access/snapshot.js';
import { failure } from '../../../kernel/errors.js';
import type { EventOf } from '../../../kernel/event.js';
import type { User } from '../../../access/records/user.js';
import type { MessageDeleted } from '../../../events/messages.js';
import { recipientOf, type MessageLocation } from '../message-document.js';
import type { Message } from '../message.state.js';

/** @throws ApplicationError when the message is gone already or the person may not delete it */
export function decideDeleteMessage(
  message: Message,
  { snapshot, user: actor }: Actor,
): readonly EventOf<typeof MessageDeleted>[] {
  if (message.isDeleted) throw failure('invalidMessage');
  if (!mayDelete(message, actor, snapshot)) {
    throw failure('deleteNotAllowed');
  }
  const { id: messageId, senderId, recipient } = message;
  return [{ type: 'MessageDeleted', data: { messageId, senderId, recipient } }];
}

/** A message to delete, with the fields that its deletion event records. */
export type MessageToDelete = MessageLocation & { readonly _id: number; readonly senderId: number };

/**
 * Deletes a message without a permission check: because it expired, or with its topic. Returns no events when
 * it is deleted already.
 */
export function decideDeleteWithoutCheck(
  isDeleted: boolean,
  message: MessageToDelete,
): readonly EventOf<typeof MessageDeleted>[] {
  if (isDeleted) return [];
  const { _id: messageId, senderId } = message;
  return [{ type: 'MessageDeleted', data: { messageId, senderId, recipient: recipientOf(message) } }];
}

function mayDelete({ senderId, sentAt, recipient }: Message, actor: User, snapshot: Snapshot): boolean {
  const channel = recipient.type === 'channel' ? snapshot.directory.channel(recipient.channelId) : null;
  if (mayDeleteAnyMessage(snapshot, actor, channel)) return true;
  const sender = snapshot.directory.user(senderId);
  if (sender === null || !isOwnMessage(actor, sender) || !mayDeleteOwnMessage(snapshot, actor, channel))
    return false;
  const limit = snapshot.directory.organization?.settings.message_content_delete_limit_seconds ?? null;
  if (limit !== null && snapshot.now - sentAt > limit * 1000) {
    throw failure('deleteTimeLimitPassed');
  }
  return true;
}
