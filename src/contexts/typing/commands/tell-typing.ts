import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { TypingSignals } from '../typing-signals.js';
import { typingRecipient, type TypingPlace } from '../typing.js';

/** Says that the caller begins or ceases to type (facts, section 5, POST typing). Nothing of it enters the log. */
export class TellTyping extends Command<void> {
  constructor(
    readonly caller: Pick<Caller, 'userId'>,
    readonly op: 'start' | 'stop',
    readonly place: TypingPlace,
  ) {
    super();
  }
}

@CommandHandler(TellTyping)
export class TellTypingHandler implements ICommandHandler<TellTyping> {
  constructor(
    private readonly decisions: Decisions,
    private readonly signals: TypingSignals,
  ) {}

  /** @throws ApplicationError those of {@link typingRecipient} */
  async execute({ caller, op, place }: TellTyping): Promise<void> {
    const sender = this.decisions.actor(caller).user;
    const recipient = typingRecipient(this.decisions.moment(), sender, place);
    this.signals.tell({ type: 'typing', op, senderId: sender.id, recipient });
  }
}
