import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { FlagChanges, type FlagsChanged } from '../flags/flag-changes.js';
import type { FlagChange } from '../flags/marking.js';

/** Sets or takes away a flag of the caller's on messages (facts, section 5, POST messages/flags). */
export class ChangeFlags extends Command<FlagsChanged> {
  constructor(
    readonly caller: Caller,
    readonly change: FlagChange,
    readonly messageIds: readonly number[],
  ) {
    super();
  }
}

@CommandHandler(ChangeFlags)
export class ChangeFlagsHandler implements ICommandHandler<ChangeFlags> {
  constructor(private readonly flags: FlagChanges) {}

  /** @throws ApplicationError `invalidMessage` for a star on a message that the caller cannot see; all else does what it can */
  async execute({ caller, change, messageIds }: ChangeFlags): Promise<FlagsChanged> {
    const reading = await this.flags.open(caller);
    const messages = await reading.placesOf(messageIds);
    const isStarring = change.flag === 'starred' && change.op === 'add';
    if (isStarring && messages.length < new Set(messageIds).size) throw failure('invalidMessage');
    return this.flags.apply(caller, reading, { change, messages });
  }
}
