import type { IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { surroundingsToRead } from '../flags/flag-decisions.js';
import type { FlagChange, Surroundings } from '../flags/flags.decide.js';
import type { FlaggedMessage } from '../flags/flags.state.js';
import { withoutMuted, possibleReaders, readersAmong } from '../flags/read-receipts.view.js';
import { MessageReader } from '../message-reader.js';
import type { Anchor } from '../narrow/anchor.js';
import type { FoundMessage } from '../narrow/compiled-narrow.js';
import { readPage, type Page, type PageRequest } from '../narrow/page.js';
import type { Term } from '../narrow/terms.js';
import { Query, QueryHandler } from '../../../runtime/nest-decorators.js';

/** The page of a narrow whose flags are to be changed. */
export interface FlagsPage extends Omit<PageRequest, 'anchor'> {
  readonly anchor: Anchor;
}

/** Messages whose flags are to be changed, and the unread messages around them. */
interface FoundFlagsPage {
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
    const { messages } = page;
    return { page, surroundings: await surroundingsToRead(session, { change, messages }) };
  }
}

/** Named messages whose flags are to be changed, and the unread messages around them. */
interface FoundFlagged {
  readonly messages: readonly FlaggedMessage[];
  readonly surroundings: Surroundings | null;
}

/** Finds messages whose flags are to be changed by their ids. Those that the caller cannot see are left out. */
export class FindFlagged extends Query<FoundFlagged> {
  constructor(
    readonly caller: Caller,
    readonly request: { readonly change: FlagChange; readonly messageIds: readonly number[] },
  ) {
    super();
  }
}

@QueryHandler(FindFlagged)
export class FindFlaggedHandler implements IQueryHandler<FindFlagged> {
  constructor(private readonly messages: MessageReader) {}

  async execute({ caller, request: { change, messageIds } }: FindFlagged): Promise<FoundFlagged> {
    const session = await this.messages.open(caller);
    const messages = await session.search.placesOf(messageIds);
    return { messages, surroundings: await surroundingsToRead(session, { change, messages }) };
  }
}

/**
 * Finds out who has read a message (`GET /messages/{message_id}/read_receipts`). Returns ids in rising order.
 */
export class GetReadReceipts extends Query<readonly number[]> {
  constructor(
    readonly caller: Caller,
    readonly messageId: number,
  ) {
    super();
  }
}

@QueryHandler(GetReadReceipts)
export class GetReadReceiptsHandler implements IQueryHandler<GetReadReceipts> {
  constructor(private readonly messages: MessageReader) {}

  /**
   * @throws ApplicationError `invalidMessage`; `readReceiptsDisabled` where the organization turned read
   * receipts off
   */
  async execute({ caller, messageId }: GetReadReceipts): Promise<readonly number[]> {
    const session = await this.messages.open(caller);
    const { snapshot, placements, attention } = session.context;
    if (snapshot.directory.organization?.settings.enable_read_receipts !== true) {
      throw failure('readReceiptsDisabled');
    }
    const message = await session.locate(messageId);
    if (message === null) throw failure('invalidMessage');
    const viewer = {
      mutedIds: new Set(attention.mutedPeople.map(({ userId }) => userId)),
      mutedByIds: new Set(await this.messages.mutersOf(caller.userId)),
    };
    const people = withoutMuted(viewer, possibleReaders({ snapshot, placements }, message));
    const flags = await this.messages.flagsOfAll(people.map(({ id }) => id));
    return readersAmong(people, message, { snapshot, placements, flags });
  }
}
