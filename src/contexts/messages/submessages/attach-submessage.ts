import { budgets } from '../../../kernel/budgets.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import type { EventOf } from '../../../kernel/event.js';
import type { Message } from '../message.js';
import { MessageChanges } from '../message-changes.js';
import { AutomaticTopicPolicies } from '../automatic-topic-policies.js';
import type { SubmessageAttached } from '../../../events/submessages.js';
import { longestSubmessage } from './submessage.js';
import { boundedJson } from './bounded-json.js';
import { actionFault } from './widget.js';

/** What a client attaches. */
export interface SubmessageRequest {
  readonly kind: string;
  /** JSON text. */
  readonly content: string;
}

/** Takes part in a message that is a small program of clients (facts, section 5, POST submessage). */
export class AttachSubmessage extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly messageId: number,
    readonly request: SubmessageRequest,
  ) {
    super();
  }
}

/**
 * Its sender decides whether a message is such a program: others take part once there is something of the sender's.
 *
 * @throws ApplicationError `invalidMessage`, `noWidget`, `tooManySubmessages`, and for what is no JSON, too long, or nothing that
 * one may do in a program of the kind
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
  if (submessages.count >= budgets.submessages.max) throw failure('tooManySubmessages');
  const submessageId = submessages.count + 1;
  return [
    { type: 'SubmessageAttached', data: { messageId: message.id, submessageId, userId, kind, content } },
  ];
}

const actionBounds = {
  name: 'content',
  longest: longestSubmessage,
  otherwise: 'invalidSubmessage',
} as const;

function assertAction({ submessages }: Message, content: string, isAuthor: boolean): void {
  const action = boundedJson(content, actionBounds);
  if (submessages.widget === null) return;
  const fault = actionFault(submessages.widget, action, { isAuthor });
  if (fault !== null) throw failure('invalidWidgetAction', { reason: fault });
}

@CommandHandler(AttachSubmessage)
export class AttachSubmessageHandler implements ICommandHandler<AttachSubmessage> {
  constructor(
    private readonly changes: MessageChanges,
    private readonly topicPolicies: AutomaticTopicPolicies,
  ) {}

  async execute({ caller, messageId, request }: AttachSubmessage): Promise<void> {
    const appended = await this.changes.apply(caller, { messageId }, (message) =>
      decideAttachSubmessage(message, request, caller),
    );
    for (const event of appended) {
      if (event.type === 'SubmessageAttached') await this.topicPolicies.afterTakingPart(event);
    }
  }
}
