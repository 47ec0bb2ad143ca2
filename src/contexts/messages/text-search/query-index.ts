import type { Collection, Filter, ModelStore, Sort } from '../../../stores/read-store/port.js';
import { type MessageDocument, type MessageTerms } from '../message-document.js';
import { topicDocumentId, type TopicDocument } from '../conversation-documents.js';
import type { IndexScan } from '../narrow/sources.js';
import { hasPhrases, type SearchedText, type TextQuery } from './text-query.js';

/** How many of the words that occur in topic names provide candidates: those in the fewest topics. */
const MAX_LEADING = 4;

/** A word in more topics than this provides candidates only if no other word does. */
const FEW_TOPICS = 300;

/** How many topics are read at once. */
const TOPICS_AT_ONCE = 100;

/** The fields of a message that a search for words in topics needs. */
export type SearchedRow = Pick<MessageDocument, '_id' | 'channelId' | 'topicKey'>;

/**
 * Terms that must occur together in a text or in the name of a topic: a word, or the adjacent pairs of a
 * phrase.
 */
interface Requirement {
  readonly terms: readonly string[];
  /** The topics whose names have them. */
  readonly topics: readonly TopicDocument[];
}

/**
 * Answers one text query from the index of terms: finds candidates, and decides which of some messages match.
 */
export class QueryIndex {
  private requirements: Promise<readonly Requirement[]> | null = null;

  constructor(
    private readonly model: ModelStore,
    private readonly query: TextQuery,
  ) {}

  /**
   * The index scans that find messages matching the query in direct messages and these channels: one for
   * messages with all the words in their texts, and one for each word in a topic name there, for messages
   * with the word in either place. Each uses one index alone.
   */
  async scans(channelIds: ReadonlySet<number>): Promise<readonly IndexScan[]> {
    const requirements = (await (this.requirements ??= this.findRequirements())).map(({ terms, topics }) => ({
      terms,
      topics: topics.filter(({ channelId }) => channelIds.has(channelId)),
    }));
    const inText = requirements.filter(({ topics }) => topics.length === 0);
    const terms = [...new Set(inText.flatMap((one) => one.terms))];
    const either = requirements
      .filter(({ topics }) => topics.length > 0)
      .sort((a, b) => a.topics.length - b.topics.length)
      .filter(({ topics }, at) => topics.length <= FEW_TOPICS || (at === 0 && terms.length === 0))
      .slice(0, MAX_LEADING)
      .map((one): Requirement => ({ ...one, terms: [...terms, ...one.terms] }));
    const queried = terms.length === 0 ? either : [{ terms, topics: [] }, ...either];
    return queried.map((one) => this.scanOf(one));
  }

  /** Those of the messages that match; texts are read only where they may contain a phrase. */
  async answering<Row extends SearchedRow>(rows: readonly Row[]): Promise<readonly Row[]> {
    let left = rows;
    for (const requirement of await (this.requirements ??= this.findRequirements())) {
      if (left.length === 0) return left;
      left = await this.meeting(requirement, left);
    }
    return this.query.phrases.length === 0 ? left : this.saying(left);
  }

  /**
   * Ids of those of the messages whose texts contain every word, which the index alone can tell. Empty for a query with
   * phrases, which the index cannot check.
   */
  async knownToAnswer(ids: readonly number[]): Promise<ReadonlySet<number>> {
    if (this.query.phrases.length > 0 || ids.length === 0) return new Set();
    const filter = { words: { $all: this.query.stems }, _id: { $in: ids } };
    const found = await this.messages.find(filter, { projection: { _id: 1 } });
    return new Set(found.map(({ _id }) => _id));
  }

  private async meeting<Row extends SearchedRow>(
    { terms, topics }: Requirement,
    rows: readonly Row[],
  ): Promise<readonly Row[]> {
    const names = new Set(topics.map(({ _id }) => _id));
    const elsewhere = rows.filter((row) => !isIn(names, row));
    const filter = { words: { $all: terms }, _id: { $in: elsewhere.map(({ _id }) => _id) } };
    const found = elsewhere.length === 0 ? [] : await this.messages.find(filter, { projection: { _id: 1 } });
    const ids = new Set(found.map(({ _id }) => _id));
    return rows.filter((row) => ids.has(row._id) || isIn(names, row));
  }

  /** Those of the messages, all of which have every word, that also contain the phrases. */
  private async saying<Row extends SearchedRow>(rows: readonly Row[]): Promise<readonly Row[]> {
    if (rows.length === 0) return rows;
    const filter = { _id: { $in: rows.map(({ _id }) => _id) } };
    const texts = await this.messages.find(filter, { projection: { content: 1, topic: 1 } });
    const answering = texts.filter((text) => hasPhrases(this.query, text as SearchedText));
    const ids = new Set(answering.map(({ _id }) => _id));
    return rows.filter(({ _id }) => ids.has(_id));
  }

  private async findRequirements(): Promise<readonly Requirement[]> {
    const { stems, phrases } = this.query;
    const pairs = phrases.flatMap((phrase) => (phrase.pairs.length === 0 ? [] : [phrase.pairs]));
    const topics = this.model.collection<TopicDocument>('topics');
    return Promise.all(
      [...pairs, ...stems.map((stem) => [stem])].map(async (terms) => {
        const projection = { channelId: 1, topicKey: 1 } as const;
        return { terms, topics: await topics.find({ words: { $all: terms } }, { projection }) };
      }),
    );
  }

  private scanOf({ terms, topics }: Requirement): IndexScan {
    return async (window, order, limit) => {
      const within: Filter = { _id: { $gte: window.from, $lte: window.to } };
      const page = { sort: { _id: order } satisfies Sort, limit, projection: { _id: 1 } as const };
      const found = await this.messages.find({ words: { $all: terms }, ...within }, page);
      for (let from = 0; from < topics.length; from += TOPICS_AT_ONCE)
        for (const one of await this.messages.find(
          inTopics(topics.slice(from, from + TOPICS_AT_ONCE), within),
          page,
        ))
          found.push(one);
      const ids = new Set(found.map(({ _id }) => _id));
      return topics.length === 0 ? [...ids] : [...ids].sort((a, b) => order * (a - b)).slice(0, limit);
    };
  }

  private get messages(): Collection<MessageDocument & MessageTerms> {
    return this.model.collection('messages');
  }
}

function inTopics(topics: readonly TopicDocument[], within: Filter): Filter {
  const branches = topics.map(({ channelId, topicKey }) => ({ channelId, topicKey, ...within }));
  const [only] = branches;
  return branches.length === 1 && only !== undefined ? only : { $or: branches };
}

function isIn(topics: ReadonlySet<string>, { channelId, topicKey }: SearchedRow): boolean {
  return channelId !== null && topicKey !== null && topics.has(topicDocumentId(channelId, topicKey));
}
