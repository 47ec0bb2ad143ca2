import { budgets } from '../../kernel/budgets.js';
import type { Filter, ModelStore, Sort } from '../../stores/read-store/port.js';
import { messageAccess, type MessagePlace } from './access.js';
import { hasId, idsIn } from './flags/id-ranges.js';
import type { MessageDocument, TopicDocument } from './message-document.js';
import { compileNarrow, compileNarrowOfNamed } from './narrow/compile.js';
import { conversationsOf } from './narrow/conversations.js';
import type { CompiledNarrow, FoundMessage, NarrowContext } from './narrow/compiled-narrow.js';
import type { MessageSource, PlacedAnchor, Range } from './narrow/page.js';
import type { Anchor } from './narrow/anchor.js';
import {
  judges,
  passingRows,
  search,
  type FindMessages,
  type Search,
  type SearchedRow,
} from './narrow/search.js';
import {
  everything,
  filterWithin,
  largestMessageId,
  personalChannelSources,
  personalSources,
} from './narrow/sources.js';
import type { Term } from './narrow/terms.js';
import { resolveWith } from './narrow/with-term.js';
import type { MessageFormat } from './view/reader.js';
import type { OrganizationSettings } from '../../events/values/organization-settings.js';
import { markedTexts } from './text-search/marked-texts.js';
import { SearchedTexts } from './text-search/searched-texts.js';
import type { TextQuery } from './text-search/text-query.js';
import type { CachedMessage } from './view/cached-message.js';
import { noHistory, readHistories, type HistoryByMessage, type MessageHistory } from './view/edit-history.js';
import { writeUntilFull, type BoundedReply } from './view/bounded-reply.js';
import type { MessageCache, MessageState } from './view/message-cache.js';
import { writeMessage } from './view/write-message.js';

const unreadFields = {
  channelId: 1,
  topic: 1,
  topicKey: 1,
  arrival: 1,
  participantIds: 1,
  givenToIds: 1,
  senderId: 1,
  readBySender: 1,
  readOnArrival: 1,
  mutedByIds: 1,
  mentions: 1,
} as const;

/** An unread message, as far as clients are told of it before they read it. */
export type UnreadMessage = Pick<MessageDocument, '_id' | keyof typeof unreadFields>;

/** One person reading messages at one moment, from one version of the model. */
export class Reading {
  private readonly searchedTexts = new WeakMap<CompiledNarrow['texts'], SearchedTexts>();

  constructor(
    readonly model: ModelStore,
    readonly context: NarrowContext,
    private readonly cache: MessageCache,
    /** The revision of the person's flags that this sees; null: there are none. */
    readonly flagsRevision: number | null = null,
  ) {}

  find(filter: Filter, sort: Sort, limit: number): Promise<readonly CachedMessage[]> {
    return this.cache.page(this.model, { filter, sort, limit });
  }

  /** What pages of flags are read from. */
  get places(): MessageSource<FoundMessage> {
    return {
      find: (narrow, range) => this.findPlaces(narrow, range),
      firstIdAt: (timestamp) => this.firstIdAt(timestamp),
    };
  }

  /** What pages of messages are read from: what these say is read later, as far as it fits into the reply. */
  get states(): MessageSource<MessageState> {
    return {
      find: (narrow, range) => this.findStates(narrow, range),
      firstIdAt: (timestamp) => this.firstIdAt(timestamp),
    };
  }

  /** These messages, in this order, as far as they still exist. */
  load(states: readonly MessageState[]): Promise<readonly CachedMessage[]> {
    return this.cache.load(this.model, states);
  }

  /** What pages are read from of which nothing but the ids is wanted: an index tells them, whatever the messages say. */
  get ids(): MessageSource<Pick<MessageDocument, '_id'>> {
    const find = this.finding({ _id: 1 });
    return {
      find: async (narrow, range) => {
        const rows = await search<SearchedRow>(narrow, { ...range, ...this.looking(narrow), find });
        return rows.map(({ document: { _id } }) => ({ _id }));
      },
      firstIdAt: (timestamp) => this.firstIdAt(timestamp),
    };
  }

  /** Those of the messages that cannot be given from memory: see {@link MessageCache.missing}. */
  missing(ids: readonly number[]): Promise<readonly number[]> {
    return this.cache.missing(this.model, ids);
  }

  /** A message as it was last read, whoever may see it; undefined: it is not in memory. */
  held(messageId: number): CachedMessage | undefined {
    return this.cache.held(this.model, messageId);
  }

  /** One for all the ranges of a page: what topics a word is in is looked up once. */
  private textsFor(narrow: CompiledNarrow): SearchedTexts {
    const known = this.searchedTexts.get(narrow.texts) ?? new SearchedTexts(this.model, narrow);
    this.searchedTexts.set(narrow.texts, known);
    return known;
  }

  /** What a search is led by. */
  private looking(narrow: CompiledNarrow): Pick<Search<unknown>, 'findIds' | 'texts'> {
    const find = this.finding({ _id: 1 });
    return {
      texts: this.textsFor(narrow),
      findIds: async (filter, order, limit) => {
        const found = await find(filter, { _id: order }, limit);
        return found.map(({ document }) => document._id);
      },
    };
  }

  async firstIdAt(timestamp: number): Promise<number | null> {
    const [first] = await this.model
      .collection<MessageDocument>('messages')
      .find(
        { timestamp: { $gte: timestamp } },
        { sort: { timestamp: 1, _id: 1 }, limit: 1, projection: { timestamp: 1 } },
      );
    return first?._id ?? null;
  }

  /** The message, if it exists and the person may see it. */
  async locate(messageId: number): Promise<MessageDocument | null> {
    return (await this.get(messageId))?.document ?? null;
  }

  /** The message as it is sent, if it exists and the person may see it. */
  async get(messageId: number): Promise<CachedMessage | null> {
    const [message] = await this.find({ _id: messageId }, { _id: 1 }, 1);
    return message !== undefined && this.sees(message) ? message : null;
  }

  /** Whether some message that the person may see refers to an upload. */
  async seesUpload(uploadId: number): Promise<boolean> {
    for (let below = largestMessageId; ;) {
      const filter = { uploadIds: uploadId, _id: { $lt: below } };
      const page = await this.find(filter, { _id: -1 }, referencesAtOnce);
      if (page.some((message) => this.sees(message))) return true;
      const last = page.at(-1);
      if (last === undefined || page.length < referencesAtOnce) return false;
      below = last.document._id;
    }
  }

  /** Those of the messages that exist, that the person may see and that the narrow lets through, wherever they lie. */
  async byIds(ids: readonly number[], narrow: readonly Term[]): Promise<readonly MessageState[]> {
    if (narrow.length > 0) return this.among(ids, await this.compile(narrow, compileNarrowOfNamed));
    return this.named(ids, { ...accessFields, changes: 1 });
  }

  /** Where those of the messages lie that exist and that the person may see. */
  placesOf(ids: readonly number[]): Promise<readonly FoundMessage[]> {
    return this.named(ids, { ...placeFields, ...accessFields });
  }

  /** Those of the messages that the person finds with the narrow. */
  async within(ids: readonly number[], narrow: readonly Term[]): Promise<readonly MessageState[]> {
    return this.among(ids, await this.compile(narrow));
  }

  async compile(terms: readonly Term[], compile = compileNarrow): Promise<CompiledNarrow> {
    const resolved = await resolveWith(terms, (messageId) => this.locate(messageId));
    return this.compileResolved(resolved, compile);
  }

  /** Compiles terms without `with`. */
  private async compileResolved(terms: readonly Term[], compile = compileNarrow): Promise<CompiledNarrow> {
    const conversations = await conversationsOf(terms, this.context, this.model);
    return compile(terms, conversations === null ? this.context : { ...this.context, conversations });
  }

  /** These topics, as far as they exist; whoever may see them. */
  async topics(ids: readonly string[]): Promise<readonly TopicDocument[]> {
    if (ids.length === 0) return [];
    return this.model.collection<TopicDocument>('topics').find({ _id: { $in: [...ids] } });
  }

  /** The last message of a topic that is the person's own: it reached them while they were subscribed, or they starred it. */
  async latestPersonalIn({
    channelId,
    topicKey,
  }: Pick<TopicDocument, 'channelId' | 'topicKey'>): Promise<MessageDocument | null> {
    const channel = this.context.moment.directory.channel(channelId);
    if (channel === null) return null;
    return this.latest({
      sources: personalChannelSources(this.context, [channel]),
      conditions: [{ topicKey }],
    });
  }

  /** The last message that ever reached the person, as of one message. */
  async latestPersonal(through = largestMessageId): Promise<MessageDocument | null> {
    const sources = personalSources(this.context, { directOnly: false });
    return this.latest({ sources, conditions: [] }, { from: 1, to: through });
  }

  /** Ids of the messages that the person starred, as far as they exist and the person may still see them; rising. */
  async starred(): Promise<readonly number[]> {
    const ids = idsIn(this.context.flags.starred);
    if (ids.length === 0) return [];
    const found = await this.finding(accessFields)({ _id: { $in: ids } }, { _id: 1 }, ids.length);
    return found.filter((message) => this.sees(message)).map(({ document }) => document._id);
  }

  /** Where a page lies; without unread messages, at the newest. Muted and archived channels hold nothing unread unless they are named. */
  async place(anchor: Anchor, terms: readonly Term[]): Promise<PlacedAnchor> {
    if (anchor.type !== 'first-unread') return anchor;
    const resolved = await resolveWith(terms, (messageId) => this.locate(messageId));
    const narrow = await this.compileResolved([...resolved, ...unmutedUnread]);
    const conditions = [...narrow.conditions, ...this.outsideArchived(resolved)];
    const [first] = await this.findPlaces(
      { ...narrow, conditions },
      { window: everything, order: 1, limit: 1 },
    );
    return { type: 'id', id: first?._id ?? largestMessageId };
  }

  /** Where messages lie that a narrow lets through, without what they say. */
  async findPlaces(narrow: CompiledNarrow, range: Range): Promise<readonly FoundMessage[]> {
    const find = this.finding(placeFields);
    const rows = await search(narrow, { ...range, ...this.looking(narrow), find });
    return rows.map(({ document }) => document);
  }

  /** What the person has yet to read, as of one message, newest first, at most so many. */
  async unread({
    through,
    limit,
  }: {
    readonly through: number;
    readonly limit: number;
  }): Promise<readonly UnreadMessage[]> {
    const narrow = await this.compile([unmutedUnread[0]]);
    const range = { window: { from: 1, to: through }, order: -1, limit } as const;
    const rows = await search(narrow, {
      ...range,
      ...this.looking(narrow),
      find: this.finding(unreadFields),
    });
    return rows.map(({ document }) => document);
  }

  /** The conversations of the newest direct messages up to one, so many messages being looked at. */
  async recentConversations({
    through,
    limit,
  }: {
    readonly through: number;
    readonly limit: number;
  }): Promise<readonly Pick<MessageDocument, '_id' | 'participantIds'>[]> {
    const seen = new Map<string, Pick<MessageDocument, '_id' | 'participantIds'>>();
    const messages = await this.model
      .collection<MessageDocument>('messages')
      .find(
        { participantIds: this.context.user.id, _id: { $lte: through } },
        { sort: { _id: -1 }, limit, projection: { participantIds: 1 } },
      );
    for (const message of messages) {
      const key = (message.participantIds ?? []).join(',');
      if (!seen.has(key)) seen.set(key, message);
    }
    return [...seen.values()];
  }

  /**
   * The messages as JSON, each as the person is to see it, with the words marked that were searched for, from the first on as many
   * as fit into a reply.
   */
  write(
    states: readonly MessageState[],
    format: MessageFormat,
    sought: TextQuery | null = null,
  ): Promise<BoundedReply<MessageState>> {
    return writeUntilFull(states, async (some) => {
      const messages = await this.load(some);
      const texts = await this.textsOf(messages, format);
      if (sought === null) return texts;
      const marked = messages.map(({ document }): [number, string] => {
        const marks = JSON.stringify(markedTexts(document, sought, format));
        return [document._id, `${texts.get(document._id)?.slice(0, -1) ?? '{'},${marks.slice(1)}`];
      });
      return new Map(marked);
    });
  }

  private async textsOf(
    messages: readonly CachedMessage[],
    format: MessageFormat,
  ): Promise<ReadonlyMap<number, string>> {
    const reader = { ...this.context, ...format };
    const histories = await this.visibleHistories(messages, budgets.historyBytesInPage.max);
    return new Map(
      messages.map((message) => {
        const { _id } = message.document;
        return [_id, writeMessage(message, reader, (histories.get(_id) ?? noHistory).entries)];
      }),
    );
  }

  /** What of edits and moves the organization lets people see. */
  get historyPolicy(): OrganizationSettings['message_edit_history_visibility_policy'] {
    const { organization } = this.context.moment.directory;
    return organization?.settings.message_edit_history_visibility_policy ?? 'none';
  }

  /** What of a message's edits and moves the organization lets people see. */
  async visibleHistory(message: CachedMessage): Promise<MessageHistory> {
    const histories = await this.visibleHistories([message], budgets.historyBytes.max);
    return histories.get(message.document._id) ?? noHistory;
  }

  /** @param bytes UTF-16 units of the texts of one message's history */
  private async visibleHistories(
    messages: readonly CachedMessage[],
    bytes: number,
  ): Promise<HistoryByMessage> {
    if (this.historyPolicy === 'none') return new Map();
    return readHistories(
      this.model,
      messages.map(({ document }) => document),
      { movesOnly: this.historyPolicy === 'moves', bytes },
    );
  }

  /** Finds messages without the fields that are not named. */
  private finding<Field extends keyof MessageDocument>(
    fields: Readonly<Record<Field, 1>>,
  ): FindMessages<{ readonly document: Pick<MessageDocument, '_id' | Field> }> {
    return async (filter, sort, limit) => {
      const documents = await this.model
        .collection<MessageDocument>('messages')
        .find(filter, { sort, limit, projection: fields });
      return documents.map((document) => ({ document }));
    };
  }

  private async latest(
    narrow: Pick<CompiledNarrow, 'sources' | 'conditions'>,
    window = everything,
  ): Promise<MessageDocument | null> {
    const filter = filterWithin(narrow, window);
    const [latest] = filter === null ? [] : await this.find(filter, { _id: -1 }, 1);
    return latest?.document ?? null;
  }

  private outsideArchived(terms: readonly Term[]): readonly Filter[] {
    if (terms.some(namesArchived)) return [];
    const archived = [...this.context.moment.directory.channels()].filter(({ isArchived }) => isArchived);
    if (archived.length === 0) return [];
    return [{ $nor: [{ channelId: { $in: archived.map(({ id }) => id) } }] }];
  }

  private sees({ document }: { readonly document: MessagePlace }): boolean {
    return messageAccess(this.context, document) !== 'none';
  }

  private async among(ids: readonly number[], narrow: CompiledNarrow): Promise<readonly MessageState[]> {
    const filter = filterWithin(narrow, everything);
    if (filter === null || ids.length === 0) return [];
    const { listed } = narrow;
    const named = namedBy(listed === null ? ids : ids.filter((id) => hasId(listed, id)));
    const found = await this.findingJudged()({ $and: [named, filter] }, { _id: 1 }, ids.length);
    const seen = found.filter((message) => this.sees(message));
    const passing = await passingRows(narrow, seen, this.textsFor(narrow));
    return passing.map(({ document }) => document);
  }

  /** These fields of those of the messages that exist and that the person may see. */
  private async named<Field extends keyof MessageDocument>(
    ids: readonly number[],
    fields: Readonly<Record<Field | keyof typeof accessFields, 1>>,
  ): Promise<readonly Pick<MessageDocument, '_id' | Field | keyof typeof accessFields>[]> {
    const found = ids.length === 0 ? [] : await this.finding(fields)(namedBy(ids), { _id: 1 }, ids.length);
    return found.filter((message) => this.sees(message)).map(({ document }) => document);
  }

  /** Messages that a narrow lets through, by their states; more is read only of those that must be looked at. */
  private async findStates(narrow: CompiledNarrow, range: Range): Promise<readonly MessageState[]> {
    const rows = await search<StateRow>(narrow, {
      ...range,
      ...this.looking(narrow),
      find: this.findingStates(narrow),
    });
    return rows.map(({ document: { _id, changes } }) => ({ _id, changes }));
  }

  private findingStates(narrow: CompiledNarrow): FindMessages<StateRow> {
    return judges(narrow) ? this.findingJudged() : this.finding({ changes: 1 });
  }

  private findingJudged(): FindMessages<JudgedRow> {
    return this.finding({ ...placeFields, ...accessFields, changes: 1 });
  }
}

interface JudgedRow extends StateRow {
  readonly document: FoundMessage & MessagePlace & MessageState;
}

interface StateRow extends SearchedRow {
  readonly document: SearchedRow['document'] & MessageState;
}

function namedBy(ids: readonly number[]): Filter {
  return { _id: { $in: [...new Set(ids)] } };
}

/** What of a message its {@link MessagePlace} is. */
const accessFields = { channelId: 1, arrival: 1, participantIds: 1, givenToIds: 1 } as const;

/** Whether a term looks into an archived channel on purpose. */
function namesArchived({ operator, operand, negated }: Term): boolean {
  return !negated && (operator === 'channel' || (operator === 'channels' && operand === 'archived'));
}

/** What of a message says where it lies. */
const placeFields = {
  channelId: 1,
  arrival: 1,
  givenToIds: 1,
  senderId: 1,
  readBySender: 1,
  readOnArrival: 1,
  mutedByIds: 1,
  topicKey: 1,
} as const;

/** How many of the messages that refer to an upload are looked at at once. */
const referencesAtOnce = 100;

const unmutedUnread = [
  { operator: 'is', operand: 'unread', negated: false },
  { operator: 'in', operand: 'home', negated: false },
] as const satisfies readonly Term[];
