import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { FlagChanges, type FlagsChanged } from '../flags/flag-changes.js';
import type { FlagChange } from '../flags/marking.js';
import type { Page } from '../narrow/page.js';
import type { Term } from '../narrow/terms.js';
import { FindFlagsPage, type FlagsPage } from '../queries/find-flags-page.js';
import { Readers } from '../../../reader-threads/readers.js';

/** What came of a change of flags within a narrow. */
export interface NarrowFlagsChanged extends FlagsChanged {
  readonly page: Pick<Page<unknown>, 'foundOldest' | 'foundNewest'>;
  /** Of the messages that were looked at, rising. */
  readonly processedIds: readonly number[];
}

/** Sets or takes away a flag of the caller's on a page of a narrow (facts, section 5, POST messages/flags/narrow). */
export class ChangeFlagsInNarrow extends Command<NarrowFlagsChanged> {
  constructor(
    readonly caller: Caller,
    readonly change: FlagChange,
    readonly selection: {
      readonly narrow: readonly Term[];
      readonly page: FlagsPage;
    },
  ) {
    super();
  }
}

@CommandHandler(ChangeFlagsInNarrow)
export class ChangeFlagsInNarrowHandler implements ICommandHandler<ChangeFlagsInNarrow> {
  constructor(
    private readonly flags: FlagChanges,
    private readonly readers: Readers,
  ) {}

  /** @throws ApplicationError `badNarrow`, and `queryTimeout` when finding them takes too long: nothing is changed then */
  async execute({ caller, change, selection }: ChangeFlagsInNarrow): Promise<NarrowFlagsChanged> {
    const found = await this.readers.ask(new FindFlagsPage(caller, { change, ...selection }));
    const { page, surroundings } = found;
    const { messages } = page;
    const reading = await this.flags.open(caller);
    const changed = await this.flags.apply(caller, reading, { change, messages, surroundings });
    return { ...changed, page, processedIds: messages.map(({ _id }) => _id) };
  }
}
