import type { Collection, Filter, ModelStore, Sort } from '../../read-store/port.js';
import type { MessageDocument, MessageWordsDocument, TopicDocument } from '../message-document.js';
import type { Window } from '../narrow/sources.js';
import type { TextQuery } from './text-query.js';

/** How many uses of a word are counted to find out which of several is rare. */
const probed = 200;

/** How many topics are looked into at once. */
const topicsAtOnce = 100;

type Topic = Pick<TopicDocument, 'channelId' | 'topicKey'>;

/** The rarest word of a query, and the topics that have it in their names. */
interface Lead {
  readonly stem: string;
  readonly topics: readonly Topic[];
}

/** Which messages a query may find, from the index of words: those that hold its rarest word, in their text or their topic. */
export class FoundTexts {
  private lead: Promise<Lead> | null = null;

  constructor(
    private readonly model: ModelStore,
    private readonly query: TextQuery,
  ) {}

  /** Ids within a window, from one of its ends, at most so many: fewer mean that there are no more. */
  async ids(window: Window, order: 1 | -1, limit: number): Promise<readonly number[]> {
    const { stem, topics } = await (this.lead ??= this.findLead());
    const within: Filter = { _id: { $gte: window.from, $lte: window.to } };
    const page = { sort: { _id: order } satisfies Sort, limit };
    const [texts, inTopics] = await Promise.all([
      this.words.find({ words: stem, ...within }, { ...page, projection: { _id: 1 } }),
      this.idsInTopics(topics, within, page),
    ]);
    const ids = [...new Set([...texts.map(({ _id }) => _id), ...inTopics])];
    return ids.sort((a, b) => order * (a - b)).slice(0, limit);
  }

  private async findLead(): Promise<Lead> {
    const { stems } = this.query;
    const leads = await Promise.all(
      stems.map(async (stem) => {
        const topics = await this.model
          .collection<TopicDocument>('topics')
          .find({ words: stem }, { projection: { channelId: 1, topicKey: 1 } });
        const uses = stems.length === 1 ? 0 : await this.uses(stem);
        return { stem, topics, weight: uses + topics.length * topicsAtOnce };
      }),
    );
    return leads.reduce((rarest, lead) => (lead.weight < rarest.weight ? lead : rarest));
  }

  private async uses(stem: string): Promise<number> {
    return (await this.words.find({ words: stem }, { limit: probed, projection: { _id: 1 } })).length;
  }

  private async idsInTopics(
    topics: readonly Topic[],
    within: Filter,
    page: { readonly sort: Sort; readonly limit: number },
  ): Promise<readonly number[]> {
    const messages = this.model.collection<MessageDocument>('messages');
    const found: number[] = [];
    for (let from = 0; from < topics.length; from += topicsAtOnce) {
      const branches = topics
        .slice(from, from + topicsAtOnce)
        .map(({ channelId, topicKey }) => ({ channelId, topicKey, ...within }));
      const [only] = branches;
      const filter = branches.length === 1 && only !== undefined ? only : { $or: branches };
      const rows = await messages.find(filter, { ...page, projection: { _id: 1 } });
      for (const { _id } of rows) found.push(_id);
    }
    return found;
  }

  private get words(): Collection<MessageWordsDocument> {
    return this.model.collection('message_words');
  }
}
