import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { AttentionChanges } from '../attention-changes.js';
import { decideAddAlertWords, decideRemoveAlertWords } from '../decisions.js';

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
  constructor(private readonly attention: AttentionChanges) {}

  async execute({ caller, op, words }: ChangeAlertWords): Promise<readonly string[]> {
    const decide = op === 'add' ? decideAddAlertWords : decideRemoveAlertWords;
    const { alertWords } = await this.attention.apply(caller, (attention) =>
      decide(attention, words, { userId: caller.userId }),
    );
    return alertWords;
  }
}
