import { LRUCache } from 'lru-cache';
import type { Filter, ModelStore, Sort } from '../../../stores/read-store/port.js';
import type { MessageDocument } from '../message-document.js';
import { cacheMessage, type CachedMessage } from './cached-message.js';

/** The id and state of a message, as the index gives them. */
export type MessageState = Pick<MessageDocument, '_id' | 'changes'>;

/** Selects a page: a filter, an order and a length. */
interface PageSelection {
  readonly filter: Filter;
  readonly sort: Sort;
  readonly limit: number;
}

/**
 * Caches messages in the form in which they are sent. An entry is valid as long as its key (version of the
 * read model, id and number of changes) is the one that the model names: a page costs one index look-up, and
 * only new or changed messages are read and serialized.
 */
export class MessageCache {
  private readonly messages: LRUCache<string, CachedMessage>;

  /** @param capacity maximum bytes of text to hold */
  constructor(capacity = 3 * 1024 * 1024) {
    this.messages = new LRUCache({ maxSize: capacity, sizeCalculation: ({ size }) => size });
  }

  /** The messages of a page, in its order. */
  async page(model: ModelStore, { filter, sort, limit }: PageSelection): Promise<readonly CachedMessage[]> {
    const collection = model.collection<MessageDocument>('messages');
    const rows = await collection.find(filter, { sort, limit, projection: { changes: 1 } });
    return this.load(model, rows);
  }

  /** These messages in this order; those that no longer exist are left out. */
  async load(model: ModelStore, rows: readonly MessageState[]): Promise<readonly CachedMessage[]> {
    const cached = rows.map((row) => this.get(model, row));
    const missing = rows.filter((_row, index) => cached[index] === null);
    if (missing.length === 0) return cached as readonly CachedMessage[];
    const fetched = await this.fetch(model, missing);
    return rows.flatMap(({ _id }, index) => cached[index] ?? fetched.get(_id) ?? []);
  }

  /**
   * Ids of the messages that must be read from the store: those that are not cached or, if all are cached, those that
   * have changed since.
   */
  async missing(model: ModelStore, ids: readonly number[]): Promise<readonly number[]> {
    const held = ids.filter((id) => this.held(model, id) !== undefined);
    if (held.length < ids.length) return ids.filter((id) => this.held(model, id) === undefined);
    const rows = await model
      .collection<MessageDocument>('messages')
      .find({ _id: { $in: [...ids] } }, { sort: { _id: 1 }, projection: { changes: 1 } });
    return rows.filter((row) => this.get(model, row) === null).map(({ _id }) => _id);
  }

  /** The cached message, even if it has changed since. */
  held(model: ModelStore, id: number): CachedMessage | undefined {
    return this.messages.get(keyOf(model, id));
  }

  private get(model: ModelStore, { _id, changes }: MessageState): CachedMessage | null {
    const held = this.held(model, _id);
    return held?.document.changes === changes ? held : null;
  }

  private async fetch(
    model: ModelStore,
    rows: readonly MessageState[],
  ): Promise<ReadonlyMap<number, CachedMessage>> {
    const collection = model.collection<MessageDocument>('messages');
    const documents = await collection.find({ _id: { $in: rows.map(({ _id }) => _id) } });
    const fetched = new Map<number, CachedMessage>();
    for (const document of documents) {
      const message = cacheMessage(document);
      fetched.set(document._id, message);
      this.messages.set(keyOf(model, document._id), message);
    }
    return fetched;
  }
}

function keyOf({ version }: ModelStore, id: number): string {
  return `${version}/${id}`;
}
