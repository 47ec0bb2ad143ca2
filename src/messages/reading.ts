import type { Filter, ModelStore, Sort } from '../read-store/port.js';
import { messageAccess, type MessagePlace } from './access.js';
import { idsIn } from './flags/id-ranges.js';
import type { MessageDocument, TopicDocument } from './message-document.js';
import { compileNarrow, compileNarrowOfNamed } from './narrow/compile.js';
import {
  answersTexts,
  looksIntoTexts,
  type CompiledNarrow,
  type FoundMessage,
  type NarrowContext,
} from './narrow/compiled-narrow.js';
import type { MessageSource, PlacedAnchor } from './narrow/page.js';
import type { Anchor } from './narrow/anchor.js';
import { search, type FindMessages, type FindTexts } from './narrow/search.js';
import {
  everything,
  filterWithin,
  largestMessageId,
  personalChannelSources,
  personalSources,
  type Window,
} from './narrow/sources.js';
import type { Term } from './narrow/terms.js';
import { resolveWith } from './narrow/with-term.js';
import type { MessageFormat } from './view/reader.js';
import type { OrganizationSettings } from '../organization/settings.js';
import { FoundTexts } from './text-search/found-texts.js';
import { markedTexts } from './text-search/marked-texts.js';
import type { TextQuery } from './text-search/text-query.js';
import type { CachedMessage } from './view/cached-message.js';
import { readHistories, type HistoryByMessage } from './view/edit-history.js';
import type { MessageCache } from './view/message-cache.js';
import { writeMessage } from './view/write-message.js';

const unreadFields = {
  channelId: 1,
  topic: 1,
  topicKey: 1,
  arrival: 1,
  participantIds: 1,
  senderId: 1,
  readBySender: 1,
  readOnArrival: 1,
  mutedByIds: 1,
  mentions: 1,
} as const;

/** An unread message, as far as clients are told of it before they read it. */
export type UnreadMessage = Pick<MessageDocument, '_id' | keyof typeof unreadFields>;

/** One person reading messages at one moment, from one version of the model. */
export class Reading implements MessageSource {
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

  findTexts({ texts: { sought } }: CompiledNarrow): FindTexts {
    const found = sought === null ? null : new FoundTexts(this.model, sought);
    return (...range) => found?.ids(...range) ?? Promise.resolve([]);
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
  async byIds(ids: readonly number[], narrow: readonly Term[]): Promise<readonly CachedMessage[]> {
    if (narrow.length > 0) return this.among(ids, await this.compile(narrow, compileNarrowOfNamed));
    const found = ids.length === 0 ? [] : await this.find(namedBy(ids), { _id: 1 }, ids.length);
    return found.filter((message) => this.sees(message));
  }

  /** Those of the messages that the person finds with the narrow. */
  async within(ids: readonly number[], narrow: readonly Term[]): Promise<readonly CachedMessage[]> {
    return this.among(ids, await this.compile(narrow));
  }

  async compile(terms: readonly Term[], compile = compileNarrow): Promise<CompiledNarrow> {
    return compile(await resolveWith(terms, (messageId) => this.locate(messageId)), this.context);
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
    const narrow = compileNarrow([...resolved, ...unmutedUnread], this.context);
    const conditions = [...narrow.conditions, ...this.outsideArchived(resolved)];
    const [first] = await this.findPlaces(
      { ...narrow, conditions },
      { window: everything, order: 1, limit: 1 },
    );
    return { type: 'id', id: first?._id ?? largestMessageId };
  }

  /** Where messages lie that a narrow lets through, without what they say. */
  async findPlaces(
    narrow: CompiledNarrow,
    range: { readonly window: Window; readonly order: 1 | -1; readonly limit: number },
  ): Promise<readonly FoundMessage[]> {
    const find = looksIntoTexts(narrow) ? this.finding(textFields) : this.finding(placeFields);
    const rows = await search(narrow, { ...range, find, findTexts: this.findTexts(narrow) });
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
    const findTexts = this.findTexts(narrow);
    const rows = await search(narrow, { ...range, find: this.finding(unreadFields), findTexts });
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

  /** The messages as a JSON array, each as the person is to see it, with the words marked that were searched for. */
  async write(
    messages: readonly CachedMessage[],
    format: MessageFormat,
    sought: TextQuery | null = null,
  ): Promise<string> {
    const reader = { ...this.context, ...format };
    const histories = await this.visibleHistories(messages);
    const texts = messages.map((message) =>
      writeMessage(message, reader, histories.get(message.document._id) ?? []),
    );
    if (sought === null) return jsonArray(texts);
    const marked = messages.map(({ document }) => JSON.stringify(markedTexts(document, sought, format)));
    return jsonArray(texts.map((text, index) => `${text.slice(0, -1)},${marked[index]?.slice(1) ?? ''}`));
  }

  /** What of edits and moves the organization lets people see. */
  get historyPolicy(): OrganizationSettings['message_edit_history_visibility_policy'] {
    const { organization } = this.context.moment.directory;
    return organization?.settings.message_edit_history_visibility_policy ?? 'none';
  }

  /** What of these messages' edits and moves the organization lets people see. */
  async visibleHistories(messages: readonly CachedMessage[]): Promise<HistoryByMessage> {
    if (this.historyPolicy === 'none') return new Map();
    return readHistories(
      this.model,
      messages.map(({ document }) => document),
      { movesOnly: this.historyPolicy === 'moves' },
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

  private async among(ids: readonly number[], narrow: CompiledNarrow): Promise<readonly CachedMessage[]> {
    const filter = filterWithin(narrow, everything);
    if (filter === null || ids.length === 0) return [];
    const found = await this.find({ $and: [namedBy(ids), filter] }, { _id: 1 }, ids.length);
    return found.filter(
      (message) =>
        this.sees(message) &&
        narrow.tests.every((test) => test(message.document)) &&
        answersTexts(narrow, message.document),
    );
  }
}

function namedBy(ids: readonly number[]): Filter {
  return { _id: { $in: [...new Set(ids)] } };
}

/** Put together by adding, not by joining: so a long page is copied once, when it is sent. */
function jsonArray(items: readonly string[]): string {
  let text = '';
  for (const item of items) text += text === '' ? item : `,${item}`;
  return `[${text}]`;
}

/** What of a message its {@link MessagePlace} is. */
const accessFields = { channelId: 1, arrival: 1, participantIds: 1 } as const;

/** Whether a term looks into an archived channel on purpose. */
function namesArchived({ operator, operand, negated }: Term): boolean {
  return !negated && (operator === 'channel' || (operator === 'channels' && operand === 'archived'));
}

/** What of a message says where it lies. */
const placeFields = {
  channelId: 1,
  arrival: 1,
  senderId: 1,
  readBySender: 1,
  readOnArrival: 1,
  mutedByIds: 1,
} as const;

/** The same, with what a search for words looks at. */
const textFields = { ...placeFields, content: 1, topic: 1 } as const;

/** How many of the messages that refer to an upload are looked at at once. */
const referencesAtOnce = 100;

const unmutedUnread = [
  { operator: 'is', operand: 'unread', negated: false },
  { operator: 'in', operand: 'home', negated: false },
] as const satisfies readonly Term[];
