import { budgets } from '../../kernel/budgets.js';
import type { Filter, ModelStore, Sort } from '../../stores/read-store/port.js';
import { idsIn } from './flags/id-ranges.js';
import type { MessageDocument } from './message-document.js';
import type { TopicDocument } from './conversation-documents.js';
import type { Anchor } from './narrow/anchor.js';
import { compileNarrow, compileNarrowOfNamed } from './narrow/compile.js';
import type { CompiledNarrow, NarrowContext } from './narrow/compiled-narrow.js';
import { conversationsOf, resolveWith } from './narrow/conversations.js';
import { MessageSearch } from './narrow/message-search.js';
import type { PlacedAnchor } from './narrow/page.js';
import {
  everything,
  filterWithin,
  MAX_MESSAGE_ID,
  personalChannelSources,
  everPersonalSources,
  personalSources,
} from './narrow/sources.js';
import type { Term } from './narrow/terms.js';
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

/** An unread message with the fields that clients get before they read it. */
export type UnreadMessage = Pick<MessageDocument, '_id' | keyof typeof unreadFields>;

/** How many of the messages that refer to an upload are checked at a time. */
const REFERENCES_AT_ONCE = 100;

const unmutedUnread = [
  { operator: 'is', operand: 'unread', negated: false },
  { operator: 'in', operand: 'home', negated: false },
] as const satisfies readonly Term[];

/** One person's view of the messages at one moment, from one version of the read model. */
export class QuerySession {
  /** Finds messages by compiled narrows, and by ids. */
  readonly search: MessageSearch;
  /** Serializes the messages that were found. */
  readonly serializer: MessageSerializer;

  constructor(
    readonly model: ModelStore,
    readonly context: NarrowContext,
    private readonly cache: MessageCache,
    /** Revision of the person's flags stream that this view includes; null: there is none. */
    readonly flagsRevision: number | null = null,
  ) {
    this.search = new MessageSearch(model, context);
    this.serializer = new MessageSerializer({ model, context, cache });
  }

  find(filter: Filter, sort: Sort, limit: number): Promise<readonly CachedMessage[]> {
    return this.cache.page(this.model, { filter, sort, limit });
  }

  /** Loads these messages in this order; those that no longer exist are left out. */
  load(states: readonly MessageState[]): Promise<readonly CachedMessage[]> {
    return this.cache.load(this.model, states);
  }

  /** Ids of those of the messages that the cache cannot provide: see {@link MessageCache.missing}. */
  missing(ids: readonly number[]): Promise<readonly number[]> {
    return this.cache.missing(this.model, ids);
  }

  /**
   * A message from the cache, in its last known state, without a check of who may see it; undefined: not
   * cached.
   */
  held(messageId: number): CachedMessage | undefined {
    return this.cache.held(this.model, messageId);
  }

  /** The message; null if it does not exist or the person may not see it. */
  async locate(messageId: number): Promise<MessageDocument | null> {
    const [document] = await this.model.collection<MessageDocument>('messages').find({ _id: messageId });
    return document !== undefined && this.search.sees(document) ? document : null;
  }

  /** The message in serializable form; null if it does not exist or the person may not see it. */
  async get(messageId: number): Promise<CachedMessage | null> {
    const [message] = await this.find({ _id: messageId }, { _id: 1 }, 1);
    return message !== undefined && this.search.sees(message.document) ? message : null;
  }

  /** Whether the person may see one of the newest messages that refer to an upload, as many as the budget allows. */
  async seesUpload(uploadId: number): Promise<boolean> {
    const messages = this.model.collection<MessageDocument>('messages');
    let below = MAX_MESSAGE_ID;
    for (let examined = 0; examined < budgets.referencesExamined.max; examined += REFERENCES_AT_ONCE) {
      const filter = { uploadIds: uploadId, _id: { $lt: below } };
      const page = await messages.find(filter, { sort: { _id: -1 }, limit: REFERENCES_AT_ONCE });
      if (page.some((message) => this.search.sees(message))) return true;
      const last = page.at(-1);
      if (last === undefined || page.length < REFERENCES_AT_ONCE) return false;
      below = last._id;
    }
    return false;
  }

  /**
   * Those of the messages that exist, that the person may see and that match the narrow, wherever they lie.
   */
  async byIds(ids: readonly number[], narrow: readonly Term[]): Promise<readonly MessageState[]> {
    if (narrow.length === 0) return this.search.statesOf(ids);
    return this.search.among(ids, await this.compile(narrow, compileNarrowOfNamed));
  }

  /** Those of the messages that a search of the person's with this narrow would find. */
  async within(ids: readonly number[], narrow: readonly Term[]): Promise<readonly MessageState[]> {
    return this.search.among(ids, await this.compile(narrow));
  }

  async compile(terms: readonly Term[], compile = compileNarrow): Promise<CompiledNarrow> {
    const resolved = await resolveWith(terms, (messageId) => this.locate(messageId));
    return this.compileResolved(resolved, compile);
  }

  /** The documents of these topics, as far as they exist, without a check of who may see them. */
  async topics(ids: readonly string[]): Promise<readonly TopicDocument[]> {
    if (ids.length === 0) return [];
    return this.model.collection<TopicDocument>('topics').find({ _id: { $in: [...ids] } });
  }

  /**
   * The last message of a topic that is the person's own: it reached them while they were subscribed, or they
   * starred it.
   */
  async latestPersonalIn({
    channelId,
    topicKey,
  }: Pick<TopicDocument, 'channelId' | 'topicKey'>): Promise<MessageDocument | null> {
    const channel = this.context.snapshot.directory.channel(channelId);
    if (channel === null) return null;
    const sources = personalChannelSources(this.context, [channel]);
    return this.latest({ sources, conditions: [{ topicKey }] });
  }

  /** The last of the person's own messages that they may read now. */
  async latestPersonal(): Promise<MessageDocument | null> {
    return this.latest({ sources: personalSources(this.context, { directOnly: false }), conditions: [] });
  }

  /** The last message, up to `through`, that ever was the person's own, even if they may not read it any more. */
  async latestEver(through = MAX_MESSAGE_ID): Promise<MessageDocument | null> {
    const narrow = { sources: everPersonalSources(this.context), conditions: [] };
    return this.latest(narrow, { from: 1, to: through });
  }

  /** Ids of the starred messages that exist and that the person may still see, in rising order. */
  starred(): Promise<readonly number[]> {
    return this.search.idsOf(idsIn(this.context.flags.starred));
  }

  /**
   * Resolves an anchor: the first unread message becomes its id, or the newest message where nothing is
   * unread. Unread messages of muted and archived channels count only if the narrow names the channel.
   */
  async place(anchor: Anchor, terms: readonly Term[]): Promise<PlacedAnchor> {
    if (anchor.type !== 'first-unread') return anchor;
    const resolved = await resolveWith(terms, (messageId) => this.locate(messageId));
    const narrow = await this.compileResolved([...resolved, ...unmutedUnread]);
    const conditions = [...narrow.conditions, ...this.outsideArchived(resolved)];
    const range = { window: everything, order: 1, limit: 1 } as const;
    const [first] = await this.search.findPlaces({ ...narrow, conditions }, range);
    return { type: 'id', id: first?._id ?? MAX_MESSAGE_ID };
  }

  /**
   * The person's unread messages, newest first, at most `limit`.
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

  /**
   * The conversations of the newest direct messages up to `through`; a limited number of messages is looked
   * at.
   */
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

  /** Compiles terms that contain no `with`. */
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

/** Whether a term asks for archived channels explicitly. */
function namesArchived({ operator, operand, negated }: Term): boolean {
  return !negated && (operator === 'channel' || (operator === 'channels' && operand === 'archived'));
}
