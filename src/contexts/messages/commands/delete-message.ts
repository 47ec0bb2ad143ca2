import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  isOwnMessage,
  mayDeleteAnyMessage,
  mayDeleteOwnMessage,
} from '../../../access/message-permissions.js';
import type { Moment } from '../../../access/moment.js';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import type { EventOf } from '../../../kernel/event.js';
import type { User } from '../../../access/records/user.js';
import type { MessageDeleted } from '../../../events/messages.js';
import { MessageChanges } from '../message-changes.js';
import type { Message } from '../message.js';

/** Deletes a message (specification, DELETE /messages/{message_id}). */
export class DeleteMessage extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly messageId: number,
  ) {
    super();
  }
}

/** @throws ApplicationError when the message is gone already or the person may not delete it */
export function decideDeleteMessage(
  message: Message,
  { moment, actor }: { readonly moment: Moment; readonly actor: User },
): readonly EventOf<typeof MessageDeleted>[] {
  if (message.isDeleted) throw failure('invalidMessage');
  if (!mayDelete(message, actor, moment)) {
    throw failure('deleteNotAllowed');
  }
  const { id: messageId, senderId, recipient } = message;
  return [{ type: 'MessageDeleted', data: { messageId, senderId, recipient } }];
}

function mayDelete({ senderId, sentAt, recipient }: Message, actor: User, moment: Moment): boolean {
  const channel = recipient.type === 'channel' ? moment.directory.channel(recipient.channelId) : null;
  if (mayDeleteAnyMessage(moment, actor, channel)) return true;
  const sender = moment.directory.user(senderId);
  if (sender === null || !isOwnMessage(actor, sender) || !mayDeleteOwnMessage(moment, actor, channel))
    return false;
  const limit = moment.directory.organization?.settings.message_content_delete_limit_seconds ?? null;
  if (limit !== null && moment.now - sentAt > limit * 1000) {
    throw failure('deleteTimeLimitPassed');
  }
  return true;
}

@CommandHandler(DeleteMessage)
export class DeleteMessageHandler implements ICommandHandler<DeleteMessage> {
  constructor(private readonly changes: MessageChanges) {}

  async execute({ caller, messageId }: DeleteMessage): Promise<void> {
    await this.changes.apply(caller, { messageId }, decideDeleteMessage);
  }
}
