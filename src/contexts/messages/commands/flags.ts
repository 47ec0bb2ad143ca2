import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { FlagDecisions, fewSurroundingsToRead, type FlagsChanged } from '../flags/flag-decisions.js';
import type { FlagChange } from '../flags/flags.decide.js';
import type { Page } from '../narrow/page.js';
import type { Term } from '../narrow/terms.js';
import { FindFlagged, FindFlagsPage, type FlagsPage } from '../queries/flags.js';
import { Readers } from '../../../reader-threads/readers.js';
import { channelHistory } from '../access.js';
import type { FlaggedMessage } from '../flags/flags.state.js';
import type { QuerySession } from '../query-session.js';
import { normalizeTopic, topicKey } from '../../../events/values/message-text.js';

/** Adds or removes one flag of the caller's on messages (`POST /messages/flags`). */
export class ChangeFlags extends Command<FlagsChanged> {
  constructor(
    readonly caller: Caller,
    readonly change: FlagChange,
    readonly messageIds: readonly number[],
  ) {
    super();
  }
}

/** Maximum number of messages that are found quickly by their ids. */
const FEW = 200;

@CommandHandler(ChangeFlags)
export class ChangeFlagsHandler implements ICommandHandler<ChangeFlags> {
  constructor(
    private readonly flags: FlagDecisions,
    private readonly readers: Readers,
  ) {}

  /**
   * @throws ApplicationError `invalidMessage` for a star on a message that the caller cannot see; other flags
   * skip such messages. `queryTimeout` when finding many messages takes too long; nothing is changed then
   */
  async execute(command: ChangeFlags): Promise<FlagsChanged> {
    return (await this.changeFew(command)) ?? this.changeMany(command);
  }

  /**
   * Changes few messages on the request thread: clients do so while people scroll, and in a reader thread they would wait for the searches
   * of the same person. Null: it would take long, and nothing is changed.
   */
  private async changeFew({ caller, change, messageIds }: ChangeFlags): Promise<FlagsChanged | null> {
    if (messageIds.length > FEW) return null;
    const session = await this.flags.open(caller);
    const messages = await session.search.placesOf(messageIds);
    const surroundings = await fewSurroundingsToRead(session, { change, messages });
    if (surroundings === undefined) return null;
    refuseUnseen(change, messageIds, messages);
    return this.flags.apply(caller, session, { change, messages, surroundings });
  }

  private async changeMany({ caller, change, messageIds }: ChangeFlags): Promise<FlagsChanged> {
    const found = await this.readers.ask(new FindFlagged(caller, { change, messageIds }));
    refuseUnseen(change, messageIds, found.messages);
    return this.flags.apply(caller, await this.flags.open(caller), { change, ...found });
  }
}

/** Refuses a star on messages of which the person cannot see all. */
function refuseUnseen(
  { op, flag }: FlagChange,
  messageIds: readonly number[],
  seen: readonly FlaggedMessage[],
): void {
  const isStarring = flag === 'starred' && op === 'add';
  if (isStarring && seen.length < new Set(messageIds).size) throw failure('invalidMessage');
}

/** The result of a flag change within a narrow. */
interface NarrowFlagsChanged extends FlagsChanged {
  readonly page: Pick<Page<unknown>, 'foundOldest' | 'foundNewest'>;
  /** Ids of the messages that were looked at, in rising order. */
  readonly processedIds: readonly number[];
}

/** Adds or removes one flag of the caller's on a page of a narrow (`POST /messages/flags/narrow`). */
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
    private readonly flags: FlagDecisions,
    private readonly readers: Readers,
  ) {}

  /**
   * @throws ApplicationError `badNarrow`, and `queryTimeout` when finding the messages takes too long;
   * nothing is changed then
   */
  async execute({ caller, change, selection }: ChangeFlagsInNarrow): Promise<NarrowFlagsChanged> {
    const found = await this.readers.ask(new FindFlagsPage(caller, { change, ...selection }));
    const { page, surroundings } = found;
    const { messages } = page;
    const session = await this.flags.open(caller);
    const changed = await this.flags.apply(caller, session, { change, messages, surroundings });
    return { ...changed, page, processedIds: messages.map(({ _id }) => _id) };
  }
}

/** What is marked as read: everything, a channel, or one topic of it. */
type ReadPlace =
  | { readonly type: 'everything' }
  | { readonly type: 'channel'; readonly channelId: number }
  | { readonly type: 'topic'; readonly channelId: number; readonly topic: string };

/**
 * Marks all unread messages of a place as read (`POST /mark_all_as_read`, `/mark_stream_as_read`,
 * `/mark_topic_as_read`).
 */
export class MarkAsRead extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly place: ReadPlace,
  ) {
    super();
  }
}

/** How many unread messages are looked up at once, and marked by one event. */
const PAGE_SIZE = 5000;

const unread: Term = { operator: 'is', operand: 'unread', negated: false };

const reading = { op: 'add', flag: 'read' } as const;

@CommandHandler(MarkAsRead)
export class MarkAsReadHandler implements ICommandHandler<MarkAsRead> {
  constructor(
    private readonly flags: FlagDecisions,
    private readonly readers: Readers,
  ) {}

  /**
   * @throws ApplicationError `invalidChannel`; `invalidTopic` for a topic without a message of the caller's;
   * `queryTimeout` when finding a page of messages takes too long: those of the pages before are read then
   */
  async execute({ caller, place }: MarkAsRead): Promise<void> {
    const session = await this.flags.open(caller);
    if (place.type === 'everything') return this.readEverything(caller, session);
    refuseChannel(session, place.channelId);
    if (place.type === 'topic') await refuseTopic(session, place);
    await this.readPages(caller, termsOf(place));
  }

  /** The newest message is found at once, whether or not it is unread; searching the newest unread one may take long. */
  private async readEverything(caller: Caller, session: QuerySession): Promise<void> {
    const latest = await session.latestPersonal();
    if (latest !== null) await this.flags.readAll(caller, session, latest._id);
  }

  /** Marks the messages of a narrow as read, oldest first, with one event for each page. */
  private async readPages(caller: Caller, narrow: readonly Term[]): Promise<void> {
    for (let last = 0; ;) {
      const request = { change: reading, narrow, page: { ...pageAt(last), after: PAGE_SIZE } };
      const { page, surroundings } = await this.readers.ask(new FindFlagsPage(caller, request));
      const { messages, foundNewest } = page;
      const session = await this.flags.open(caller);
      await this.flags.apply(caller, session, { change: reading, messages, surroundings });
      if (foundNewest || messages.length === 0) return;
      last = messages.at(-1)!._id;
    }
  }
}

/** An empty page at an id, without the message that has it. */
function pageAt(id: number): FlagsPage {
  return { anchor: { type: 'id', id }, includeAnchor: false, before: 0, after: 0 };
}

function refuseChannel({ context: { snapshot, user } }: QuerySession, channelId: number): void {
  const channel = snapshot.directory.channel(channelId);
  if (channel === null || channelHistory(snapshot, user, channel) === 'none') throw failure('invalidChannel');
}

async function refuseTopic(
  session: QuerySession,
  { channelId, topic }: Extract<ReadPlace, { type: 'topic' }>,
): Promise<void> {
  const latest = await session.latestPersonalIn({ channelId, topicKey: topicKey(normalizeTopic(topic)) });
  if (latest === null) throw failure('invalidTopic', { reason: topic });
}

function termsOf(place: Exclude<ReadPlace, { type: 'everything' }>): readonly Term[] {
  const channel: Term = { operator: 'channel', operand: place.channelId, negated: false };
  if (place.type === 'channel') return [unread, channel];
  return [unread, channel, { operator: 'topic', operand: place.topic, negated: false }];
}
