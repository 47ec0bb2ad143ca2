import { LRUCache } from 'lru-cache';
import type { Filter, ModelStore, Sort } from '../../read-store/port.js';
import type { MessageDocument } from '../message-document.js';
import { cacheMessage, type CachedMessage } from './cached-message.js';

/** Ids and states of a page's messages, as the index gives them. */
type PageRow = Pick<MessageDocument, '_id' | 'changes'>;

/** What a page is: a filter, its order and its length. */
export interface PageSelection {
  readonly filter: Filter;
  readonly sort: Sort;
  readonly limit: number;
}

/**
 * Messages in the form in which they are sent, kept as long as their state (version of the model, id and number of changes)
 * is the one that the read model names: a page costs one look into an index, and only what is new is read and put into words.
 */
export class MessageCache {
  private readonly messages: LRUCache<string, CachedMessage>;

  /** @param capacity bytes of text to hold at most */
  constructor(capacity = 3 * 1024 * 1024) {
    this.messages = new LRUCache({ maxSize: capacity, sizeCalculation: ({ size }) => size });
  }

  /** The messages of a page, in its order. */
  async page(model: ModelStore, { filter, sort, limit }: PageSelection): Promise<readonly CachedMessage[]> {
    const collection = model.collection<MessageDocument>('messages');
    const rows: readonly PageRow[] = await collection.find(filter, {
      sort,
      limit,
      projection: { changes: 1 },
    });
    const cached = rows.map((row) => this.messages.get(stateKey(model, row)) ?? null);
    const missing = rows.filter((_row, index) => cached[index] === null);
    if (missing.length === 0) return cached as readonly CachedMessage[];
    const fetched = await this.fetch(model, missing);
    return rows.flatMap(({ _id }, index) => cached[index] ?? fetched.get(_id) ?? []);
  }

  private async fetch(
    model: ModelStore,
    rows: readonly PageRow[],
  ): Promise<ReadonlyMap<number, CachedMessage>> {
    const collection = model.collection<MessageDocument>('messages');
    const documents = await collection.find({ _id: { $in: rows.map(({ _id }) => _id) } });
    const fetched = new Map<number, CachedMessage>();
    for (const document of documents) {
      const message = cacheMessage(document);
      fetched.set(document._id, message);
      this.messages.set(stateKey(model, document), message);
    }
    return fetched;
  }
}

function stateKey({ version }: ModelStore, { _id, changes }: PageRow): string {
  return `${version}/${_id}/${changes}`;
}
