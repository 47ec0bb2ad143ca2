import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import { FlagChanges, type FlagsChanged } from '../flags/flag-changes.js';
import type { FlagChange } from '../flags/marking.js';
import type { Anchor } from '../narrow/anchor.js';
import { readPage, type Page, type PageRequest } from '../narrow/page.js';
import type { Term } from '../narrow/terms.js';

/** What came of a change of flags within a narrow. */
export interface NarrowFlagsChanged extends FlagsChanged {
  readonly page: Pick<Page, 'foundOldest' | 'foundNewest'>;
  /** Of the messages that were looked at, rising. */
  readonly processedIds: readonly number[];
}

/** Which page of a narrow. */
export interface FlagsPage extends Omit<PageRequest, 'anchor'> {
  readonly anchor: Anchor;
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
  constructor(private readonly flags: FlagChanges) {}

  /** @throws ApplicationError `badNarrow` */
  async execute({ caller, change, selection }: ChangeFlagsInNarrow): Promise<NarrowFlagsChanged> {
    const { narrow, page: request } = selection;
    const reading = await this.flags.open(caller);
    const anchor = await reading.place(request.anchor, narrow);
    const page = await readPage(await reading.compile(narrow), { ...request, anchor }, reading);
    const messages = page.messages.map(({ document }) => document);
    const changed = await this.flags.apply(caller, reading, { change, messages });
    return { ...changed, page, processedIds: messages.map(({ _id }) => _id) };
  }
}
