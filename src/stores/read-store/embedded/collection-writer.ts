import type { Keyed } from '../port.js';
import type { Condition } from '../language/conditions.js';
import { checkCollectionWrite } from '../language/collection-writes.js';
import type { KeyedTarget, ParsedWrite } from '../language/writes.js';
import { applyUpdate } from './applied-update.js';
import {
  entriesOf,
  keysOf,
  keyValue,
  type CollectionSchema,
  type MultikeyIndex,
} from './collection-schema.js';
import type { Connection, SqlValue } from './connection.js';
import { ofIntegerKeys } from './integer-keys.js';
import { whereSql } from './filter-sql.js';
import { predicateOf } from './predicate.js';
import { chooseSource, fromClause, rowOf } from './source.js';
import { TermWriter } from './term-writer.js';

/** A collection's tables and the connection. */
interface Tables {
  readonly connection: Connection;
  readonly schema: CollectionSchema;
}

/** A document with its row number. */
interface StoredRow {
  readonly row: number;
  readonly document: Keyed;
}

/** Maximum number of index entries in one statement: so few that all its forms stay prepared. */
const ENTRIES_AT_ONCE = 16;

function placeholders(count: number): string {
  return Array.from({ length: count }, () => '?').join(', ');
}

/** By table, the statements that insert one entry, two, and so on. They are cached, because building one takes as long as running it. */
class EntryInsertions {
  private readonly byTable = new Map<string, string[]>();

  constructor(private readonly fixed: readonly string[]) {}

  sql({ table, columns }: MultikeyIndex, entries: number): string {
    const known = this.byTable.get(table) ?? [];
    this.byTable.set(table, known);
    return (known[entries] ??= insertionOf(
      table,
      [...columns.map(({ name }) => name), ...this.fixed],
      entries,
    ));
  }
}

function insertionOf(table: string, columns: readonly string[], entries: number): string {
  const tuple = `(${placeholders(columns.length)})`;
  const tuples = Array.from({ length: entries }, () => tuple);
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${tuples.join(', ')}`;
}

/** Changes the documents of one collection, their keys and their index entries, inside of the caller's transaction. */
export class CollectionWriter {
  private readonly insertSql: string;
  private readonly updateSql: string;
  private readonly upsertSql: string;
  private readonly selectSql: string;
  private readonly documentSql: string;
  private readonly entryInsertions: EntryInsertions;
  private readonly terms: TermWriter | null;

  constructor(private readonly tables: Tables) {
    const { table, columns, key, termIndex } = tables.schema;
    this.entryInsertions = new EntryInsertions(key === 'row' ? ['row'] : ['id', 'row']);
    this.terms = termIndex && new TermWriter(tables.connection, termIndex);
    const names = [...columns.values()].map(({ name }) => name);
    const all = ['document', ...names, key];
    const assignments = ['document', ...names].map((name) => `${name} = excluded.${name}`);
    this.insertSql = `INSERT INTO ${table} (${all.join(', ')}) VALUES (${placeholders(all.length)})`;
    this.upsertSql = `${this.insertSql} ON CONFLICT (${key}) DO UPDATE SET ${assignments.join(', ')}`;
    this.updateSql = `UPDATE ${table} SET ${['document', ...names].map((name) => `${name} = ?`).join(', ')} WHERE ${key} = ?`;
    this.selectSql = `SELECT row, document FROM ${table} WHERE ${key} = ?`;
    this.documentSql = `SELECT document FROM ${table} WHERE row = ?`;
  }

  /** Applies a write. */
  apply(write: ParsedWrite): void {
    checkCollectionWrite(write, this.tables.schema.rules);
    switch (write.kind) {
      case 'replace':
        return this.replace(write);
      case 'update':
        return this.updateOne(write);
      case 'update-many':
        for (const stored of this.matching(write.condition)) this.rewrite(stored, write.changes);
        return;
      case 'delete': {
        const stored = this.target(write.target);
        if (stored) this.remove(stored);
        return;
      }
      case 'delete-many':
        for (const stored of this.matching(write.condition)) this.remove(stored);
    }
  }

  /** Stores a document that is known to be new. */
  insert(document: Keyed): void {
    const { lastInsertRowid } = this.tables.connection.run(this.insertSql, this.values(document));
    for (const index of this.tables.schema.multikeyIndexes) {
      this.addEntries(index, entriesOf(index, document), Number(lastInsertRowid));
    }
    this.terms?.exchange(Number(lastInsertRowid), null, document);
  }

  private replace({ target, replacement, upsert }: Extract<ParsedWrite, { kind: 'replace' }>): void {
    const { connection, schema } = this.tables;
    if (!target.guarded && schema.multikeyIndexes.length === 0 && this.terms === null) {
      connection.run(upsert ? this.upsertSql : this.updateSql, this.values(replacement));
      return;
    }
    const stored = this.byKey(replacement._id);
    if (stored === null) {
      if (upsert) this.insert(replacement);
    } else if (!target.guarded || predicateOf(target.condition)(stored.document)) {
      this.store(stored, replacement);
    }
  }

  private updateOne({ target, changes, upsert }: Extract<ParsedWrite, { kind: 'update' }>): void {
    const { key } = target;
    if (!upsert || key === null) {
      const stored = this.target(target);
      if (stored) this.rewrite(stored, changes);
      return;
    }
    const stored = this.byKey(key);
    if (stored === null) {
      const document = { _id: key };
      applyUpdate(document, changes);
      this.insert(document);
    } else if (predicateOf(target.condition)(stored.document)) {
      this.rewrite(stored, changes);
    }
  }

  private rewrite(stored: StoredRow, changes: Parameters<typeof applyUpdate>[1]): void {
    const before = this.tables.schema.multikeyIndexes.map((index) => entriesOf(index, stored.document));
    applyUpdate(stored.document, changes);
    this.tables.connection.run(this.updateSql, this.values(stored.document));
    this.exchangeEntries(stored, before);
  }

  private store({ row, document: old }: StoredRow, document: Keyed): void {
    const before = this.tables.schema.multikeyIndexes.map((index) => entriesOf(index, old));
    this.tables.connection.run(this.updateSql, this.values(document));
    this.exchangeEntries({ row, document }, before);
    this.terms?.exchange(row, old, document);
  }

  private remove({ row, document }: StoredRow): void {
    const { connection, schema } = this.tables;
    connection.run(`DELETE FROM ${schema.table} WHERE row = ?`, [row]);
    for (const index of schema.multikeyIndexes) {
      for (const entry of entriesOf(index, document)) this.removeEntry(index, entry);
    }
    this.terms?.exchange(row, document, null);
  }

  private values(document: Keyed): SqlValue[] {
    const { schema } = this.tables;
    return [schema.text.write(document), ...keysOf(schema, document), keyValue(schema, document._id)];
  }

  private byKey(key: Keyed['_id']): StoredRow | null {
    const { connection, schema } = this.tables;
    const found = connection.row(this.selectSql, [keyValue(schema, key)]);
    return found ? { row: found[0] as number, document: schema.text.read(found[1] as string) } : null;
  }

  /** The document that a write of one document changes: the one with its key, or any one that matches. */
  private target({ key, condition, guarded }: KeyedTarget): StoredRow | null {
    if (key === null) {
      const [first = null] = this.matching(condition);
      return first;
    }
    const stored = this.byKey(key);
    return stored && (!guarded || predicateOf(condition)(stored.document)) ? stored : null;
  }

  /**
   * The matching documents, one after another: they may be too many to be in memory together. The rows are chosen
   * before the first document is returned, so that a change of it does not decide about others.
   */
  private *matching(asked: Condition): Generator<StoredRow> {
    const { connection, schema } = this.tables;
    const condition = schema.key === 'row' ? ofIntegerKeys(asked) : asked;
    const source = chooseSource(schema, condition, []);
    const { sql, parameters, exact } = whereSql(source, condition);
    const select = `SELECT ${rowOf(source)} ${fromClause(source, true)} WHERE ${sql}`;
    const isMatch = exact ? () => true : predicateOf(condition);
    const rows = connection.rows(select, parameters).map(([row]) => row as number);
    for (const row of rows) {
      const [text] = connection.row(this.documentSql, [row])!;
      const document = schema.text.read(text as string);
      if (isMatch(document)) yield { row, document };
    }
  }

  /** Removes the index entries that a document no longer has, and adds the new ones. */
  private exchangeEntries(
    { row, document }: StoredRow,
    before: readonly (readonly (readonly SqlValue[])[])[],
  ): void {
    this.tables.schema.multikeyIndexes.forEach((index, at) => {
      const old = new Map((before[at] ?? []).map((entry) => [signature(entry), entry]));
      const added = entriesOf(index, document).filter((entry) => !old.delete(signature(entry)));
      this.addEntries(index, added, row);
      for (const entry of old.values()) this.removeEntry(index, entry);
    });
  }

  /** Several at once, because calling the database for each one costs more than writing it. */
  private addEntries(index: MultikeyIndex, entries: readonly (readonly SqlValue[])[], row: number): void {
    const hasOwnKey = this.tables.schema.key === 'id';
    for (let from = 0; from < entries.length; from += ENTRIES_AT_ONCE) {
      const some = entries.slice(from, from + ENTRIES_AT_ONCE);
      const values: SqlValue[] = [];
      for (const entry of some) {
        values.push(...entry);
        if (hasOwnKey) values.push(row);
      }
      this.tables.connection.run(this.entryInsertions.sql(index, some.length), values);
    }
  }

  private removeEntry({ table, columns }: MultikeyIndex, entry: readonly SqlValue[]): void {
    const { key } = this.tables.schema;
    const conditions = [...columns.map(({ name }) => name), key].map((name) => `${name} = ?`);
    this.tables.connection.run(`DELETE FROM ${table} WHERE ${conditions.join(' AND ')}`, entry);
  }
}

function signature(entry: readonly SqlValue[]): string {
  return entry.map((value) => `${typeof value}:${String(value)}`).join('\u0000');
}
