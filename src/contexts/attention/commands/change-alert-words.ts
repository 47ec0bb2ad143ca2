import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { attentionOf } from '../attention.js';
import { decideAddAlertWords, decideRemoveAlertWords } from '../attention.decide.js';

/** Adds or removes alert words of the caller. Answers all of them (facts, section 5, alert_words). */
export class ChangeAlertWords extends Command<readonly string[]> {
  constructor(
    readonly caller: Caller,
    readonly op: 'add' | 'remove',
    readonly words: readonly string[],
  ) {
    super();
  }
}

@CommandHandler(ChangeAlertWords)
export class ChangeAlertWordsHandler implements ICommandHandler<ChangeAlertWords> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, op, words }: ChangeAlertWords): Promise<readonly string[]> {
    const decide = op === 'add' ? decideAddAlertWords : decideRemoveAlertWords;
    const { state } = await this.decisions.decide(caller, attentionOf(caller.userId), (attention) =>
      decide(attention, words, { userId: caller.userId }),
    );
    return state.alertWords;
  }
}
