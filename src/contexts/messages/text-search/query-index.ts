import type { Collection, Filter, ModelStore, Sort } from '../../../stores/read-store/port.js';
import {
  topicDocumentId,
  type MessageDocument,
  type MessageTerms,
  type TopicDocument,
} from '../message-document.js';
import type { Window } from '../narrow/sources.js';
import { matchesQuery, type SearchedText, type TextQuery } from './text-query.js';

/** How many uses of a word are counted to find out which of several is rare. */
const probed = 2_000;

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

/** What every message that answers has in its text, and what it has there or in its topic. */
interface Lead {
  readonly terms: readonly string[];
  readonly either: Requirement | null;
}

/** What the index of terms tells of one query: candidates for it, and which of some messages answer it. */
export class QueryIndex {
  private requirements: Promise<readonly Requirement[]> | null = null;
  private lead: Promise<Lead> | null = null;

  constructor(
    private readonly model: ModelStore,
    private readonly query: TextQuery,
  ) {}

  /**
   * Ids within a window, from one of its ends, at most so many: fewer mean that there are no more. Candidates have all that no topic
   * has in its name, and the rarest word of the rest.
   */
  async candidates(window: Window, order: 1 | -1, limit: number): Promise<readonly number[]> {
    const { terms, either } = await (this.lead ??= this.findLead());
    const within: Filter = { _id: { $gte: window.from, $lte: window.to } };
    const page = { sort: { _id: order } satisfies Sort, limit, projection: { _id: 1 } as const };
    const inText = [...terms, ...(either?.terms ?? [])];
    const texts = await this.messages.find({ words: { $all: inText }, ...within }, page);
    const ids = texts.map(({ _id }) => _id);
    if (either === null) return ids;
    const beside: Filter = terms.length === 0 ? within : { words: { $all: terms }, ...within };
    for (let from = 0; from < either.topics.length; from += topicsAtOnce) {
      const topics = either.topics.slice(from, from + topicsAtOnce);
      for (const { _id } of await this.messages.find(inTopics(topics, beside), page)) ids.push(_id);
    }
    return [...new Set(ids)].sort((a, b) => order * (a - b)).slice(0, limit);
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

  /** Those of which the text itself answers. */
  private async saying<Row extends SearchedRow>(rows: readonly Row[]): Promise<readonly Row[]> {
    if (rows.length === 0) return rows;
    const filter = { _id: { $in: rows.map(({ _id }) => _id) } };
    const texts = await this.messages.find(filter, { projection: { content: 1, topic: 1 } });
    const answering = texts.filter((text) => matchesQuery(this.query, text as SearchedText));
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

  private async findLead(): Promise<Lead> {
    const requirements = await (this.requirements ??= this.findRequirements());
    const inText = requirements.filter(({ topics }) => topics.length === 0);
    const terms = [...new Set(inText.flatMap((one) => one.terms))];
    const either = requirements.filter(({ topics }) => topics.length > 0);
    let [best, least]: [Lead, number] = [{ terms, either: null }, Infinity];
    if (terms.length > 0 && either.length > 0) least = await this.uses(terms);
    for (const requirement of either) {
      const weight =
        either.length === 1 && terms.length === 0
          ? 0
          : (await this.uses([...terms, ...requirement.terms])) + requirement.topics.length * topicsAtOnce;
      if (weight < least) [best, least] = [{ terms, either: requirement }, weight];
    }
    return best;
  }

  private async uses(terms: readonly string[]): Promise<number> {
    const filter = { words: { $all: terms } };
    return (await this.messages.find(filter, { limit: probed, projection: { _id: 1 } })).length;
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
