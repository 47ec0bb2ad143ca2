import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { FlagDecisions, type FlagsChanged } from '../flags/flag-decisions.js';
import type { FlagChange } from '../flags/flags.decide.js';
import type { Page } from '../narrow/page.js';
import type { Term } from '../narrow/terms.js';
import { FindFlagsPage, type FlagsPage } from '../queries/flags.js';
import { Readers } from '../../../reader-threads/readers.js';
import { channelHistory } from '../access.js';
import type { FlaggedMessage } from '../flags/flags.state.js';
import { MAX_MESSAGE_ID } from '../narrow/sources.js';
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

@CommandHandler(ChangeFlags)
export class ChangeFlagsHandler implements ICommandHandler<ChangeFlags> {
  constructor(private readonly flags: FlagDecisions) {}

  /**
   * @throws ApplicationError `invalidMessage` for a star on a message that the caller cannot see; other flags
   * skip such messages
   */
  async execute({ caller, change, messageIds }: ChangeFlags): Promise<FlagsChanged> {
    const session = await this.flags.open(caller);
    const messages = await session.search.placesOf(messageIds);
    const isStarring = change.flag === 'starred' && change.op === 'add';
    if (isStarring && messages.length < new Set(messageIds).size) throw failure('invalidMessage');
    return this.flags.apply(caller, session, { change, messages });
  }
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

/** How many unread messages are looked up at once. */
const PAGE_SIZE = 5000;

const unread: Term = { operator: 'is', operand: 'unread', negated: false };

@CommandHandler(MarkAsRead)
export class MarkAsReadHandler implements ICommandHandler<MarkAsRead> {
  constructor(private readonly flags: FlagDecisions) {}

  /**
   * @throws ApplicationError `invalidChannel`; `invalidTopic` for a topic without a message of the caller's
   */
  async execute({ caller, place }: MarkAsRead): Promise<void> {
    const session = await this.flags.open(caller);
    if (place.type === 'everything') return this.readEverything(caller, session);
    refuseChannel(session, place.channelId);
    if (place.type === 'topic') await refuseTopic(session, place);
    const change = { op: 'add', flag: 'read' } as const;
    await this.flags.apply(caller, session, { change, messages: await allUnread(session, termsOf(place)) });
  }

  private async readEverything(caller: Caller, session: QuerySession): Promise<void> {
    const narrow = await session.compile([unread]);
    const window = { from: 1, to: MAX_MESSAGE_ID };
    const [latest] = await session.search.findPlaces(narrow, { window, order: -1, limit: 1 });
    if (latest !== undefined) await this.flags.readAll(caller, session, latest._id);
  }
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

async function allUnread(session: QuerySession, terms: readonly Term[]): Promise<readonly FlaggedMessage[]> {
  const narrow = await session.compile(terms);
  const found: FlaggedMessage[] = [];
  for (let from = 1; ;) {
    const window = { from, to: MAX_MESSAGE_ID };
    const page = await session.search.findPlaces(narrow, { window, order: 1, limit: PAGE_SIZE });
    found.push(...page);
    if (page.length < PAGE_SIZE) return found;
    from = page.at(-1)!._id + 1;
  }
}
