import { Long, type Document } from 'mongodb';
import {
  filtersOf,
  findAll,
  isOneOf,
  keyOf,
  keysNamed,
  lockName,
  mustBeOk,
  uniqueKeys,
  type Place,
} from './collections.js';
import { duplicateKey, notInTransactions } from './failures.js';
import type { Locks } from './locks.js';
import type { Upstream } from './wire.js';

const WRITES = new Set(['insert', 'update', 'delete']);

/** A collection with documents of a transaction. */
interface Touched {
  readonly place: Place;
  /** Its documents, by their keys' names. */
  readonly ids: Map<string, unknown>;
  /** The fields of its unique indexes; null: not looked up yet. */
  unique: Awaited<ReturnType<typeof uniqueKeys>> | null;
}

/**
 * A transaction. The documents that it changes are copied into a database of its own on the same server, on which its commands work, so
 * that the server itself applies them and nobody else sees the changes. A commit copies them back.
 *
 * Reads are not from a snapshot: commits of others are visible. Writing to such documents is a conflict all the same.
 */
export class Transaction {
  private readonly touched = new Map<string, Touched>();
  private readonly began: number;

  constructor(
    private readonly locks: Locks,
    /** The number of the databases with its copies. */
    readonly slot: number,
  ) {
    this.began = locks.now;
  }

  /** The server's reply to a command of the transaction. @throws Refusal */
  async run(upstream: Upstream, command: Document): Promise<Document> {
    const [name = '', collection] = Object.entries(command)[0] ?? [];
    const place = { database: command['$db'] as string, collection: String(collection) };
    if (name === 'find') return this.find(upstream, place, command);
    if (!WRITES.has(name)) throw notInTransactions();
    const touched = this.touchedIn(place);
    await this.copy(upstream, touched, await this.chosen(upstream, touched, filtersOf(command)));
    const reply = await upstream.command({ ...command, $db: this.copies(place).database });
    return (await this.breaksUnique(upstream, touched))
      ? duplicateKey(`${place.database}.${collection}`)
      : reply;
  }

  /** Copies its changes back. */
  async carryBack(upstream: Upstream): Promise<void> {
    for (const { place, ids } of this.touched.values()) {
      if (ids.size === 0) continue;
      const { database: $db, collection } = place;
      const documents = await findAll(upstream, this.copies(place), { filter: {} });
      const q = isOneOf([...ids.values()]);
      mustBeOk(await upstream.command({ delete: collection, deletes: [{ q, limit: 0 }], $db }));
      if (documents.length > 0) mustBeOk(await upstream.command({ insert: collection, documents, $db }));
    }
  }

  /** Empties its databases for the next transaction, and releases its locks. */
  async end(upstream: Upstream, isCommitted: boolean): Promise<void> {
    try {
      for (const { place, ids } of this.touched.values()) {
        if (ids.size === 0) continue;
        const { database: $db, collection } = this.copies(place);
        mustBeOk(await upstream.command({ delete: collection, deletes: [{ q: {}, limit: 0 }], $db }));
      }
    } finally {
      this.locks.release(this, isCommitted);
    }
  }

  private touchedIn(place: Place): Touched {
    const name = `${place.database}.${place.collection}`;
    const touched = this.touched.get(name) ?? { place, ids: new Map<string, unknown>(), unique: null };
    this.touched.set(name, touched);
    return touched;
  }

  private copies({ database, collection }: Place): Place {
    return { database: databaseOfCopies(database, this.slot), collection };
  }

  /** The keys of a command's documents that the transaction has not locked yet. */
  private async chosen(
    upstream: Upstream,
    { place, ids }: Touched,
    filters: readonly Document[],
  ): Promise<readonly unknown[]> {
    const chosen = new Map<string, unknown>();
    for (const filter of filters) {
      const named =
        keysNamed(filter) ??
        (await findAll(upstream, place, { filter, projection: { _id: 1 } })).map(({ _id }) => _id as unknown);
      for (const id of named) chosen.set(keyOf(id), id);
    }
    return [...chosen].filter(([key]) => !ids.has(key)).map(([, id]) => id);
  }

  private async copy(upstream: Upstream, { place, ids }: Touched, fresh: readonly unknown[]): Promise<void> {
    if (fresh.length === 0) return;
    const names = fresh.map((id) => lockName(place, id));
    this.locks.take(names, this, this.began);
    for (const id of fresh) ids.set(keyOf(id), id);
    const documents = await findAll(upstream, place, { filter: isOneOf(fresh) });
    const { database: $db, collection } = this.copies(place);
    if (documents.length > 0) mustBeOk(await upstream.command({ insert: collection, documents, $db }));
  }

  /** Finds documents: the transaction's copies, and the originals of all others. */
  private async find(upstream: Upstream, place: Place, command: Document): Promise<Document> {
    const {
      filter = {},
      projection,
      limit = 0,
      sort,
      skip,
    } = command as {
      readonly filter?: Document;
      readonly projection?: Document;
      readonly limit?: number;
      readonly sort?: unknown;
      readonly skip?: unknown;
    };
    if (sort !== undefined || skip !== undefined) throw notInTransactions();
    const { ids } = this.touchedIn(place);
    const query = { filter, ...(projection && { projection }) };
    const own = ids.size === 0 ? [] : await findAll(upstream, this.copies(place), query);
    const others = await findAll(upstream, place, query);
    const found = [...own, ...others.filter(({ _id }) => !ids.has(keyOf(_id)))];
    const firstBatch = Number(limit) === 0 ? found : found.slice(0, Math.abs(Number(limit)));
    return { cursor: { firstBatch, id: Long.ZERO, ns: `${place.database}.${place.collection}` }, ok: 1 };
  }

  /** Whether a document violates a unique index, by another copy or by an original. */
  private async breaksUnique(upstream: Upstream, touched: Touched): Promise<boolean> {
    const { place, ids } = touched;
    const indexes = (touched.unique ??= await uniqueKeys(upstream, place));
    if (indexes.length === 0) return false;
    const own = await findAll(upstream, this.copies(place), { filter: {} });
    for (const fields of indexes) {
      const values = own.map((document) => fields.map((field) => valueAt(document, field)));
      if (new Set(values.map(keyOf)).size < values.length) return true;
      for (const value of values) {
        const filter = Object.fromEntries(fields.map((field, index) => [field, value[index]]));
        const same = await findAll(upstream, place, { filter, projection: { _id: 1 } });
        if (same.some(({ _id }) => !ids.has(keyOf(_id)))) return true;
      }
    }
    return false;
  }
}

/** The database with a transaction's copies of another database. */
export function databaseOfCopies(database: string, slot: number): string {
  return `${database}_transaction_${slot}`;
}

function valueAt(document: Document, path: string): unknown {
  const value = path
    .split('.')
    .reduce<unknown>((inner, part) => (inner as Document | null | undefined)?.[part], document);
  return value ?? null;
}
