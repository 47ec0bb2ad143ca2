import type { CollectionDefinition, Keyed, TermIndexDefinition } from '../port.js';
import { pathParts } from '../language/documents.js';
import type { WriteRules } from '../language/collection-writes.js';
import { indexKeys, partialConditions, type PartialCondition } from '../language/definitions.js';
import type { SortKey } from '../language/options.js';
import type { SqlValue } from './connection.js';
import { DocumentText, rowNumber } from './document-text.js';
import { encodeKey, multipleKeys, scalarKey } from './key-encoding.js';
import { partialSql } from './partial.js';
import { predicateOf } from './predicate.js';

/** A column with the value at a path of each document. */
interface KeyColumn {
  readonly path: string;
  readonly parts: readonly string[];
  /** Quoted. */
  readonly name: string;
}

/** An index on columns of the collection's own table. */
export interface ScalarIndex {
  /** Quoted. */
  readonly name: string;
  readonly keys: readonly SortKey[];
  readonly unique: boolean;
  /** Conditions that every document in it meets; empty: it contains all documents. */
  readonly partial: readonly PartialCondition[];
}

/** An index on an array: a table with one row for each scalar of the array. */
export interface MultikeyIndex {
  /** Quoted. */
  readonly table: string;
  readonly keys: readonly SortKey[];
  readonly columns: readonly KeyColumn[];
  readonly arrayPath: string;
  /** Conditions that every document in it meets; empty: it contains all documents. */
  readonly partial: readonly PartialCondition[];
}

/** An index of terms: a full-text table with the row numbers of the documents by term, without the texts. */
export interface TermIndex {
  /** Quoted. The column to query has the same name as the table. */
  readonly table: string;
  readonly definition: TermIndexDefinition;
}

/** The tables of a collection. */
export interface CollectionSchema {
  readonly name: string;
  /** Quoted. Columns: row (number), id (unless `key` is row), the key columns, and document (JSON). */
  readonly table: string;
  /** The column of the documents' keys, in this table and in those of multikey indexes. */
  readonly key: 'id' | 'row';
  readonly text: DocumentText;
  /** The rules for writes. */
  readonly rules: WriteRules;
  readonly termIndex: TermIndex | null;
  /** By path, without `_id` and arrays. */
  readonly columns: ReadonlyMap<string, KeyColumn>;
  readonly indexes: readonly ScalarIndex[];
  readonly multikeyIndexes: readonly MultikeyIndex[];
}

function quote(name: string): string {
  return `"${name}"`;
}

function keyColumn(path: string): KeyColumn {
  // Quoted names are case-insensitive, paths are not.
  const name = path.replaceAll(/[A-Z]/g, (letter) => `^${letter.toLowerCase()}`);
  return { path, parts: pathParts(path), name: quote(`$${name}`) };
}

/** Designs the tables of a collection. */
export function schemaOf(collection: CollectionDefinition): CollectionSchema {
  const { name, indexes, integerKeys = false, termIndex, defaults } = collection;
  const columns = new Map<string, KeyColumn>();
  const scalarIndexes: ScalarIndex[] = [];
  const multikeyIndexes: MultikeyIndex[] = [];
  for (const definition of indexes) {
    const { unique = false, multikey } = definition;
    const keys = indexKeys(definition);
    const partial = partialConditions(definition);
    for (const { path } of [...keys, ...partial]) {
      if (path !== '_id' && path !== multikey) columns.set(path, keyColumn(path));
    }
    if (multikey === undefined) {
      scalarIndexes.push({ name: quote(`${name}#${scalarIndexes.length}`), keys, unique, partial });
    } else {
      multikeyIndexes.push({
        table: quote(`${name}$${multikeyIndexes.length}`),
        keys,
        columns: keys.filter(({ path }) => path !== '_id').map(({ path }) => keyColumn(path)),
        arrayPath: multikey,
        partial,
      });
    }
  }
  return {
    name,
    table: quote(name),
    key: integerKeys ? 'row' : 'id',
    text: new DocumentText(defaults),
    rules: collection,
    termIndex: termIndex === undefined ? null : { table: quote(`${name}$terms`), definition: termIndex },
    columns,
    indexes: scalarIndexes,
    multikeyIndexes,
  };
}

/** Name of the column for a path's scalar in the table of documents, by which indexes refer to it. Quoted. */
export function columnName({ key }: Pick<CollectionSchema, 'key'>, path: string): string {
  return path === '_id' ? key : keyColumn(path).name;
}

function keyList(schema: CollectionSchema, keys: readonly SortKey[]): string {
  return keys
    .map(({ path, direction }) => `${columnName(schema, path)}${direction === 1 ? '' : ' DESC'}`)
    .join(', ');
}

function createMultikeyTable(schema: CollectionSchema, index: MultikeyIndex): string {
  const columns = index.columns.map(({ name }) => `${name} NOT NULL`);
  const fixed = schema.key === 'row' ? ['row INTEGER NOT NULL'] : ['id NOT NULL', 'row INTEGER NOT NULL'];
  const key = `PRIMARY KEY (${keyList(schema, index.keys)})`;
  return `CREATE TABLE ${index.table} (${[...columns, ...fixed, key].join(', ')}) WITHOUT ROWID`;
}

/** SQLite appends the row number to every index entry by itself. */
function storedKeys({ key }: CollectionSchema, keys: readonly SortKey[]): readonly SortKey[] {
  const last = keys.at(-1);
  const isImplied = key === 'row' && keys.length > 1 && last?.path === '_id' && last.direction === 1;
  return isImplied ? keys.slice(0, -1) : keys;
}

function createIndex(schema: CollectionSchema, { name, keys, unique, partial }: ScalarIndex): string {
  const where =
    partial.length === 0 ? '' : ` WHERE ${partialSql(partial, (path) => columnName(schema, path))}`;
  const columns = keyList(schema, storedKeys(schema, keys));
  return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${name} ON ${schema.table} (${columns})${where}`;
}

/**
 * Terms are stored as they are, and deleted ones are also removed from the file. With the least detail (`none`), SQLite 3.45 loses entries
 * when deleting like this.
 */
function createTermTable({ table }: TermIndex): readonly string[] {
  return [
    `CREATE VIRTUAL TABLE ${table} USING fts5(terms, content='', columnsize=0, detail=column, tokenize='ascii')`,
    `INSERT INTO ${table} (${table}, rank) VALUES ('secure-delete', 1)`,
  ];
}

/** The statements that create a collection's tables and indexes. */
export function createStatements(schema: CollectionSchema): readonly string[] {
  const { table, key, columns, indexes, multikeyIndexes, termIndex } = schema;
  const fixed =
    key === 'row' ? ['row INTEGER PRIMARY KEY'] : ['row INTEGER PRIMARY KEY', 'id NOT NULL UNIQUE'];
  const keyColumns = [...columns.values()].map((column) => `${column.name} NOT NULL`);
  // The document comes last, because many reads do not need it.
  const all = [...fixed, ...keyColumns, 'document TEXT NOT NULL'];
  return [
    `CREATE TABLE ${table} (${all.join(', ')})`,
    ...indexes.map((index) => createIndex(schema, index)),
    ...multikeyIndexes.map((index) => createMultikeyTable(schema, index)),
    ...(termIndex === null ? [] : createTermTable(termIndex)),
  ];
}

/** The values of a document's key columns, in the order of {@link CollectionSchema.columns}. */
export function keysOf(schema: CollectionSchema, document: Keyed): SqlValue[] {
  const keys: SqlValue[] = [];
  for (const { parts } of schema.columns.values()) keys.push(scalarKey(document, parts));
  return keys;
}

/** The column value of a document's key. */
export function keyValue({ key }: Pick<CollectionSchema, 'key'>, id: Keyed['_id']): SqlValue {
  return key === 'row' ? rowNumber(id) : encodeKey(id);
}

/** A document's rows in a multikey index (none if the array is missing or null): key columns, then the document's key. */
export function entriesOf(index: MultikeyIndex, document: Keyed): readonly (readonly SqlValue[])[] {
  const array = index.columns.find(({ path }) => path === index.arrayPath);
  if (array === undefined || !index.partial.every((condition) => predicateOf(condition)(document))) return [];
  return multipleKeys(document, array.parts).map((key) => [
    ...index.columns.map((column) => (column === array ? key : scalarKey(document, column.parts))),
    encodeKey(document._id),
  ]);
}
