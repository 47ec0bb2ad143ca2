import type { CollectionDefinition, Keyed } from '../port.js';
import { pathParts } from '../language/documents.js';
import { indexKeys } from '../language/definitions.js';
import type { SortKey } from '../language/options.js';
import type { SqlValue } from './connection.js';
import { multipleKeys, scalarKey } from './key-encoding.js';

/** A column that holds what a path of each document leads to. */
export interface KeyColumn {
  readonly path: string;
  readonly parts: readonly string[];
  /** Quoted. */
  readonly name: string;
}

/** An index over columns of the collection's own table. */
export interface ScalarIndex {
  readonly keys: readonly SortKey[];
  readonly unique: boolean;
}

/** An index over an array: a table of its own with a row for each of its scalars. */
export interface MultikeyIndex {
  /** Quoted. */
  readonly table: string;
  readonly keys: readonly SortKey[];
  readonly columns: readonly KeyColumn[];
  readonly arrayPath: string;
}

/** Where a collection's documents and keys are stored. */
export interface CollectionSchema {
  readonly name: string;
  /** Quoted. Columns: row (number), id, document (JSON), and the key columns. */
  readonly table: string;
  /** By path; `_id` and the arrays are not among them. */
  readonly columns: ReadonlyMap<string, KeyColumn>;
  readonly indexes: readonly ScalarIndex[];
  readonly multikeyIndexes: readonly MultikeyIndex[];
}

function quote(name: string): string {
  return `"${name}"`;
}

function keyColumn(path: string): KeyColumn {
  // Quoted names are compared without case, paths are not.
  const name = path.replaceAll(/[A-Z]/g, (letter) => `^${letter.toLowerCase()}`);
  return { path, parts: pathParts(path), name: quote(`$${name}`) };
}

/** Lays out the tables for a collection. */
export function schemaOf({ name, indexes }: CollectionDefinition): CollectionSchema {
  const columns = new Map<string, KeyColumn>();
  const scalarIndexes: ScalarIndex[] = [];
  const multikeyIndexes: MultikeyIndex[] = [];
  for (const { key, unique = false, multikey } of indexes) {
    const keys = indexKeys({ key, unique });
    for (const { path } of keys) {
      if (path !== '_id' && path !== multikey) columns.set(path, keyColumn(path));
    }
    if (multikey === undefined) {
      scalarIndexes.push({ keys, unique });
    } else {
      multikeyIndexes.push({
        table: quote(`${name}$${multikeyIndexes.length}`),
        keys,
        columns: keys.filter(({ path }) => path !== '_id').map(({ path }) => keyColumn(path)),
        arrayPath: multikey,
      });
    }
  }
  return { name, table: quote(name), columns, indexes: scalarIndexes, multikeyIndexes };
}

function columnName(path: string): string {
  return path === '_id' ? 'id' : keyColumn(path).name;
}

function keyList(keys: readonly SortKey[]): string {
  return keys.map(({ path, direction }) => `${columnName(path)}${direction === 1 ? '' : ' DESC'}`).join(', ');
}

function createMultikeyTable(index: MultikeyIndex): string {
  const columns = index.columns.map(({ name }) => `${name} NOT NULL`);
  const key = `PRIMARY KEY (${keyList(index.keys)})`;
  return `CREATE TABLE ${index.table} (${[...columns, 'id NOT NULL', 'row INTEGER NOT NULL', key].join(', ')}) WITHOUT ROWID`;
}

/** The statements that make a collection's tables and indexes. */
export function createStatements(schema: CollectionSchema): readonly string[] {
  const { name, table, columns, indexes, multikeyIndexes } = schema;
  const fixed = ['row INTEGER PRIMARY KEY', 'id NOT NULL UNIQUE', 'document TEXT NOT NULL'];
  const keyColumns = [...columns.values()].map((column) => `${column.name} NOT NULL`);
  return [
    `CREATE TABLE ${table} (${[...fixed, ...keyColumns].join(', ')})`,
    ...indexes.map(
      ({ keys, unique }, at) =>
        `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${quote(`${name}#${at}`)} ON ${table} (${keyList(keys)})`,
    ),
    ...multikeyIndexes.map(createMultikeyTable),
  ];
}

/** What a document's key columns hold, in the order of {@link CollectionSchema.columns}. */
export function keysOf(schema: CollectionSchema, document: Keyed): SqlValue[] {
  const keys: SqlValue[] = [];
  for (const { parts } of schema.columns.values()) keys.push(scalarKey(document, parts));
  return keys;
}

/** The rows that a document has in a multikey index, without their row number: key columns, then id. */
export function entriesOf(index: MultikeyIndex, document: Keyed): readonly (readonly SqlValue[])[] {
  const array = index.columns.find(({ path }) => path === index.arrayPath);
  if (array === undefined) return [];
  return multipleKeys(document, array.parts).map((key) => [
    ...index.columns.map((column) => (column === array ? key : scalarKey(document, column.parts))),
    document._id,
  ]);
}
