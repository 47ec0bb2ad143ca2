import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { surroundingsToRead } from '../flags/flag-decisions.js';
import type { FlagChange, Surroundings } from '../flags/flags.decide.js';
import { MessageReader } from '../message-reader.js';
import type { Anchor } from '../narrow/anchor.js';
import type { FoundMessage } from '../narrow/compiled-narrow.js';
import { readPage, type Page, type PageRequest } from '../narrow/page.js';
import type { Term } from '../narrow/terms.js';

/** The page of a narrow whose flags are to be changed. */
export interface FlagsPage extends Omit<PageRequest, 'anchor'> {
  readonly anchor: Anchor;
}

/** Messages whose flags are to be changed, and the unread messages around them. */
export interface FoundFlagsPage {
  readonly page: Page<FoundMessage>;
  readonly surroundings: Surroundings | null;
}

/**
 * Finds the messages on a page of a narrow whose flags are to be changed. It is a query of its own because
 * finding them may take long.
 */
export class FindFlagsPage extends Query<FoundFlagsPage> {
  constructor(
    readonly caller: Caller,
    readonly request: {
      readonly change: FlagChange;
      readonly narrow: readonly Term[];
      readonly page: FlagsPage;
    },
  ) {
    super();
  }
}

@QueryHandler(FindFlagsPage)
export class FindFlagsPageHandler implements IQueryHandler<FindFlagsPage> {
  constructor(private readonly messages: MessageReader) {}

  /** @throws ApplicationError `badNarrow` */
  async execute({ caller, request }: FindFlagsPage): Promise<FoundFlagsPage> {
    const { change, narrow, page: wanted } = request;
    const session = await this.messages.open(caller);
    const anchor = await session.place(wanted.anchor, narrow);
    const page = await readPage(await session.compile(narrow), { ...wanted, anchor }, session.search.places);
    return { page, surroundings: await surroundingsToRead(session, { change, messages: page.messages }) };
  }
}
