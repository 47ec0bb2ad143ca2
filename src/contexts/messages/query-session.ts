import type { Filter, ModelStore, Sort } from '../../stores/read-store/port.js';
import { idsIn } from './flags/id-ranges.js';
import type { MessageDocument } from './message-document.js';
import type { TopicDocument } from './conversation-documents.js';
import type { Anchor } from './narrow/anchor.js';
import { compileNarrow, compileNarrowOfNamed } from './narrow/compile.js';
import type { CompiledNarrow, NarrowContext } from './narrow/compiled-narrow.js';
import { conversationsOf } from './narrow/conversations.js';
import { MessageSearch } from './narrow/message-search.js';
import type { PlacedAnchor } from './narrow/page.js';
import {
  everything,
  filterWithin,
  maxMessageId,
  personalChannelSources,
  personalSources,
} from './narrow/sources.js';
import type { Term } from './narrow/terms.js';
import { resolveWith } from './narrow/with-term.js';
import type { CachedMessage } from './view/cached-message.js';
import type { MessageCache, MessageState } from './view/message-cache.js';
import { MessageSerializer } from './view/message-serializer.js';

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

/** How many of the messages that refer to an upload are looked at at once. */
const referencesAtOnce = 100;

const unmutedUnread = [
  { operator: 'is', operand: 'unread', negated: false },
  { operator: 'in', operand: 'home', negated: false },
] as const satisfies readonly Term[];

/** What one person reads of the messages at one moment, from one version of the model. */
export class QuerySession {
  /** Finds messages by compiled narrows, and by their ids. */
  readonly search: MessageSearch;
  /** Makes replies of what was found. */
  readonly serializer: MessageSerializer;

  constructor(
    readonly model: ModelStore,
    readonly context: NarrowContext,
    private readonly cache: MessageCache,
    /** The revision of the person's flags that this sees; null: there are none. */
    readonly flagsRevision: number | null = null,
  ) {
    this.search = new MessageSearch(model, context);
    this.serializer = new MessageSerializer({ model, context, cache });
  }

  find(filter: Filter, sort: Sort, limit: number): Promise<readonly CachedMessage[]> {
    return this.cache.page(this.model, { filter, sort, limit });
  }

  /** These messages, in this order, as far as they still exist. */
  load(states: readonly MessageState[]): Promise<readonly CachedMessage[]> {
    return this.cache.load(this.model, states);
  }

  /** Those of the messages that cannot be given from memory: see {@link MessageCache.missing}. */
  missing(ids: readonly number[]): Promise<readonly number[]> {
    return this.cache.missing(this.model, ids);
  }

  /** A message as it was last read, whoever may see it; undefined: it is not in memory. */
  held(messageId: number): CachedMessage | undefined {
    return this.cache.held(this.model, messageId);
  }

  /** The message, if it exists and the person may see it. */
  async locate(messageId: number): Promise<MessageDocument | null> {
    const [document] = await this.model.collection<MessageDocument>('messages').find({ _id: messageId });
    return document !== undefined && this.search.sees(document) ? document : null;
  }

  /** The message as it is sent, if it exists and the person may see it. */
  async get(messageId: number): Promise<CachedMessage | null> {
    const [message] = await this.find({ _id: messageId }, { _id: 1 }, 1);
    return message !== undefined && this.search.sees(message.document) ? message : null;
  }

  /** Whether some message that the person may see refers to an upload. */
  async seesUpload(uploadId: number): Promise<boolean> {
    for (let below = maxMessageId; ;) {
      const filter = { uploadIds: uploadId, _id: { $lt: below } };
      const page = await this.find(filter, { _id: -1 }, referencesAtOnce);
      if (page.some(({ document }) => this.search.sees(document))) return true;
      const last = page.at(-1);
      if (last === undefined || page.length < referencesAtOnce) return false;
      below = last.document._id;
    }
  }

  /** Those of the messages that exist, that the person may see and that the narrow lets through, wherever they lie. */
  async byIds(ids: readonly number[], narrow: readonly Term[]): Promise<readonly MessageState[]> {
    if (narrow.length === 0) return this.search.statesOf(ids);
    return this.search.among(ids, await this.compile(narrow, compileNarrowOfNamed));
  }

  /** Those of the messages that the person finds with the narrow. */
  async within(ids: readonly number[], narrow: readonly Term[]): Promise<readonly MessageState[]> {
    return this.search.among(ids, await this.compile(narrow));
  }

  async compile(terms: readonly Term[], compile = compileNarrow): Promise<CompiledNarrow> {
    const resolved = await resolveWith(terms, (messageId) => this.locate(messageId));
    return this.compileResolved(resolved, compile);
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
    const channel = this.context.snapshot.directory.channel(channelId);
    if (channel === null) return null;
    const sources = personalChannelSources(this.context, [channel]);
    return this.latest({ sources, conditions: [{ topicKey }] });
  }

  /** The last message that ever reached the person, as of one message. */
  async latestPersonal(through = maxMessageId): Promise<MessageDocument | null> {
    const sources = personalSources(this.context, { directOnly: false });
    return this.latest({ sources, conditions: [] }, { from: 1, to: through });
  }

  /** Ids of the messages that the person starred, as far as they exist and the person may still see them; rising. */
  starred(): Promise<readonly number[]> {
    return this.search.idsOf(idsIn(this.context.flags.starred));
  }

  /** Where a page lies; without unread messages, at the newest. Muted and archived channels hold nothing unread unless they are named. */
  async place(anchor: Anchor, terms: readonly Term[]): Promise<PlacedAnchor> {
    if (anchor.type !== 'first-unread') return anchor;
    const resolved = await resolveWith(terms, (messageId) => this.locate(messageId));
    const narrow = await this.compileResolved([...resolved, ...unmutedUnread]);
    const conditions = [...narrow.conditions, ...this.outsideArchived(resolved)];
    const range = { window: everything, order: 1, limit: 1 } as const;
    const [first] = await this.search.findPlaces({ ...narrow, conditions }, range);
    return { type: 'id', id: first?._id ?? maxMessageId };
  }

  /**
   * What the person has yet to read, newest first, at most so many.
   *
   * @param range.through the last message that counts
   */
  async unread(range: {
    readonly through: number;
    readonly limit: number;
  }): Promise<readonly UnreadMessage[]> {
    const narrow = await this.compile([unmutedUnread[0]]);
    const window = { from: 1, to: range.through };
    return this.search.found(narrow, { window, order: -1, limit: range.limit }, unreadFields);
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

  /** Compiles terms without `with`. */
  private async compileResolved(terms: readonly Term[], compile = compileNarrow): Promise<CompiledNarrow> {
    const conversations = await conversationsOf(terms, this.context, this.model);
    return compile(terms, conversations === null ? this.context : { ...this.context, conversations });
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
    const archived = [...this.context.snapshot.directory.channels()].filter(({ isArchived }) => isArchived);
    if (archived.length === 0) return [];
    return [{ $nor: [{ channelId: { $in: archived.map(({ id }) => id) } }] }];
  }
}

/** Whether a term looks into an archived channel on purpose. */
function namesArchived({ operator, operand, negated }: Term): boolean {
  return !negated && (operator === 'channel' || (operator === 'channels' && operand === 'archived'));
}
