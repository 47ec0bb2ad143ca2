import type { Collection, Filter, ModelStore, Sort } from '../../../stores/read-store/port.js';
import { type MessageDocument, type MessageTerms } from '../message-document.js';
import { topicDocumentId, type TopicDocument } from '../conversation-documents.js';
import type { Way } from '../narrow/sources.js';
import { hasPhrases, type SearchedText, type TextQuery } from './text-query.js';

/** So many of the words that stand in topics lead to messages: those in the fewest topics. */
const maxLeading = 4;

/** A word in more topics leads to messages only where no other word does. */
const fewTopics = 300;

/** How many topics are looked into at once. */
const topicsAtOnce = 100;

/** Where a message lies, as far as a search for words in topics is concerned. */
export type SearchedRow = Pick<MessageDocument, '_id' | 'channelId' | 'topicKey'>;

/** Terms that stand together in a text or in the name of a topic: a word, or the neighbours of a phrase. */
interface Requirement {
  readonly terms: readonly string[];
  /** The topics that have them. */
  readonly topics: readonly TopicDocument[];
}

/** What the index of terms tells of one query: candidates for it, and which of some messages answer it. */
export class QueryIndex {
  private requirements: Promise<readonly Requirement[]> | null = null;

  constructor(
    private readonly model: ModelStore,
    private readonly query: TextQuery,
  ) {}

  /**
   * The ways to messages that answer, in direct messages and some channels: all that they have in their texts, and for each word that is in
   * names of topics there, what has it in either. Each goes through an index alone.
   */
  async ways(channelIds: ReadonlySet<number>): Promise<readonly Way[]> {
    const requirements = (await (this.requirements ??= this.findRequirements())).map(({ terms, topics }) => ({
      terms,
      topics: topics.filter(({ channelId }) => channelIds.has(channelId)),
    }));
    const inText = requirements.filter(({ topics }) => topics.length === 0);
    const terms = [...new Set(inText.flatMap((one) => one.terms))];
    const either = requirements
      .filter(({ topics }) => topics.length > 0)
      .sort((a, b) => a.topics.length - b.topics.length)
      .filter(({ topics }, at) => topics.length <= fewTopics || (at === 0 && terms.length === 0))
      .slice(0, maxLeading)
      .map((one): Requirement => ({ ...one, terms: [...terms, ...one.terms] }));
    const ways = terms.length === 0 ? either : [{ terms, topics: [] }, ...either];
    return ways.map((one) => this.along(one));
  }

  /** Those of the messages that answer; what they say is read only where a phrase may stand in it. */
  async answering<Row extends SearchedRow>(rows: readonly Row[]): Promise<readonly Row[]> {
    let left = rows;
    for (const requirement of await (this.requirements ??= this.findRequirements())) {
      if (left.length === 0) return left;
      left = await this.meeting(requirement, left);
    }
    return this.query.phrases.length === 0 ? left : this.saying(left);
  }

  /** Those of the messages that the index alone knows to answer: they have every word in their text. No phrase is known so. */
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

  /** Those of the messages, which have every word, that have the phrases. */
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

  private along({ terms, topics }: Requirement): Way {
    return async (window, order, limit) => {
      const within: Filter = { _id: { $gte: window.from, $lte: window.to } };
      const page = { sort: { _id: order } satisfies Sort, limit, projection: { _id: 1 } as const };
      const found = await this.messages.find({ words: { $all: terms }, ...within }, page);
      for (let from = 0; from < topics.length; from += topicsAtOnce)
        for (const one of await this.messages.find(
          inTopics(topics.slice(from, from + topicsAtOnce), within),
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
