import { budgets } from '../../../kernel/budgets.js';
import { failure } from '../../../kernel/errors.js';
import type { EventOf } from '../../../kernel/event.js';
import type { Message } from '../message.state.js';
import type { SubmessageAttached } from '../../../events/submessages.js';
import { actionFault, boundedJson, MAX_SUBMESSAGE_LENGTH } from './submessage.js';

/**
 * Others may attach to a message only after its sender did, which makes the message a widget.
 *
 * @throws ApplicationError `invalidMessage`, `noWidget`, `tooManySubmessages`; and for content that is not
 * JSON, too long, or no action of this kind of widget
 */
export function decideAttachSubmessage(
  message: Message,
  { kind, content }: SubmessageRequest,
  { userId }: { readonly userId: number },
): readonly EventOf<typeof SubmessageAttached>[] {
  if (message.isDeleted) throw failure('invalidMessage');
  const isAuthor = userId === message.senderId;
  const { submessages } = message;
  if (!isAuthor && !submessages.isOpen) throw failure('noWidget');
  assertAction(message, content, isAuthor);
  const isFull =
    submessages.count >= budgets.submessages.max ||
    submessages.length + content.length > budgets.submessageLength.max;
  if (isFull) throw failure('tooManySubmessages');
  const submessageId = submessages.count + 1;
  return [
    { type: 'SubmessageAttached', data: { messageId: message.id, submessageId, userId, kind, content } },
  ];
}

/** A submessage that a client attaches. */
export interface SubmessageRequest {
  readonly kind: string;
  /** JSON text. */
  readonly content: string;
}

const actionBounds = {
  name: 'content',
  maxLength: MAX_SUBMESSAGE_LENGTH,
  otherwise: 'invalidSubmessage',
} as const;

function assertAction({ submessages }: Message, content: string, isAuthor: boolean): void {
  const action = boundedJson(content, actionBounds);
  if (submessages.widget === null) return;
  const fault = actionFault(submessages.widget, action, { isAuthor });
  if (fault !== null) throw failure('invalidWidgetAction', { reason: fault });
}
