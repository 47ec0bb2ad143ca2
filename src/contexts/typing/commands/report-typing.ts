import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { TypingSignals } from '../typing-signals.js';
import { refuseEditing } from '../../messages/edits.decide.js';
import { MessageDecisions } from '../../messages/message-decisions.js';
import { editingAudience, refuseHidden, typingRecipient, type TypingPlace } from '../typing.js';

/** Reports that the caller starts or stops typing (`POST /typing`). Nothing of it enters the log. */
export class ReportTyping extends Command<void> {
  constructor(
    readonly caller: Pick<Caller, 'userId'>,
    readonly op: 'start' | 'stop',
    readonly place: TypingPlace,
  ) {
    super();
  }
}

@CommandHandler(ReportTyping)
export class ReportTypingHandler implements ICommandHandler<ReportTyping> {
  constructor(
    private readonly decisions: Decisions,
    private readonly signals: TypingSignals,
  ) {}

  /** @throws ApplicationError those of {@link typingRecipient} */
  async execute({ caller, op, place }: ReportTyping): Promise<void> {
    const sender = this.decisions.actor(caller).user;
    const recipient = typingRecipient(this.decisions.snapshot(), sender, place);
    this.signals.send({ type: 'typing', op, senderId: sender.id, recipient });
  }
}

/**
 * Reports that the caller starts or stops editing a message (`POST /messages/{message_id}/typing`). Nothing
 * of it enters the log.
 */
export class ReportEditing extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly op: 'start' | 'stop',
    readonly messageId: number,
  ) {
    super();
  }
}

@CommandHandler(ReportEditing)
export class ReportEditingHandler implements ICommandHandler<ReportEditing> {
  constructor(
    private readonly messages: MessageDecisions,
    private readonly signals: TypingSignals,
  ) {}

  /** @throws ApplicationError `invalidMessage`, `typingNotShown`, and those of {@link refuseEditing} */
  async execute({ caller, op, messageId }: ReportEditing): Promise<void> {
    const placed = await this.messages.place(caller, messageId);
    const message = await this.messages.load(placed);
    const { context } = placed.session;
    const { user, snapshot } = context;
    refuseEditing(message, user, snapshot);
    refuseHidden(snapshot, user, message.recipient);
    const userIds = editingAudience(context, placed.place);
    const { recipient } = message;
    const signal = {
      type: 'typing_edit_message',
      op,
      senderId: user.id,
      messageId,
      recipient,
      userIds,
    } as const;
    this.signals.send(signal);
  }
}
