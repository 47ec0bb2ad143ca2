import type { CollectionDefinition, Document, Keyed } from '../port.js';
import { createStatements, schemaOf, type CollectionSchema } from './collection-schema.js';
import { CollectionWriter } from './collection-writer.js';
import type { Connection } from './connection.js';
import { DocumentText } from './document-text.js';

/** Version of the tables' layout; raised when that changes, so that older files are converted. */
const LAYOUT = 2;

/** The row with `only` 1 has the model's checkpoint; `collections` has the layout of each collection's tables. */
const ENGINE_TABLES = `
  CREATE TABLE IF NOT EXISTS _checkpoint (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    position INTEGER,
    fencing_token INTEGER NOT NULL
  );
  INSERT INTO _checkpoint VALUES (1, NULL, 0) ON CONFLICT DO NOTHING;
  CREATE TABLE IF NOT EXISTS _collections (name TEXT PRIMARY KEY NOT NULL, layout TEXT NOT NULL);
`;

/** Rows that are converted at a time. */
const PAGE = 1000;

function layoutOf({ indexes, integerKeys, termIndex, defaults }: CollectionDefinition): string {
  const keys = indexes.map(({ key, unique = false, multikey = null, partialFilterExpression = {} }) => [
    Object.entries(key),
    unique,
    multikey,
    Object.entries(partialFilterExpression),
  ]);
  if (!integerKeys && !defaults) return JSON.stringify([LAYOUT, keys]);
  const terms = termIndex ? [termIndex.path, termIndex.of] : null;
  return JSON.stringify([LAYOUT, keys, integerKeys === true, terms, defaults ?? {}]);
}

/** How documents are serialized in a layout. */
function documentTextOf(layout: string): DocumentText {
  const [, , , , defaults] = JSON.parse(layout) as readonly [unknown, unknown, unknown?, unknown?, Document?];
  return new DocumentText(defaults);
}

function hasEngineTables(connection: Connection): boolean {
  return connection.row(`SELECT 1 FROM sqlite_schema WHERE name = '_collections'`, []) !== undefined;
}

/** The layout of a collection's tables; null: there are none. */
function storedLayout(connection: Connection, { name }: CollectionDefinition): string | null {
  const [layout = null] = connection.row('SELECT layout FROM _collections WHERE name = ?', [name]) ?? [];
  return layout as string | null;
}

function isCurrent(connection: Connection, definition: CollectionDefinition): boolean {
  return storedLayout(connection, definition) === layoutOf(definition);
}

function* storedDocuments(connection: Connection, table: string, text: DocumentText): Generator<Keyed> {
  let last = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const rows = connection.rows(
      `SELECT row, document FROM ${table} WHERE row > ? ORDER BY row LIMIT ${PAGE}`,
      [last],
    );
    for (const [row, document] of rows) {
      last = row as number;
      yield text.read(document as string);
    }
    if (rows.length < PAGE) return;
  }
}

function dropIndexes(connection: Connection, { name }: CollectionDefinition): void {
  const found = connection.rows(
    `SELECT type, name FROM sqlite_schema
     WHERE sql IS NOT NULL AND (type = 'index' AND tbl_name = ?1 OR type = 'table' AND substr(name, 1, length(?1) + 1) = ?1 || '$')
     ORDER BY name`,
    [name],
  );
  for (const [type, found_] of found)
    // Dropping the main table of a full-text index also drops its others.
    connection.exec(`DROP ${type === 'index' ? 'INDEX' : 'TABLE'} IF EXISTS "${String(found_)}"`);
}

/** Creates a collection's tables, and copies the documents of an earlier layout. */
function layOut(connection: Connection, definition: CollectionDefinition, schema: CollectionSchema): void {
  const { name } = definition;
  const former = storedLayout(connection, definition);
  if (former !== null) {
    dropIndexes(connection, definition);
    connection.exec(`ALTER TABLE ${schema.table} RENAME TO "_former"`);
  }
  for (const statement of createStatements(schema)) connection.exec(statement);
  if (former !== null) {
    const writer = new CollectionWriter({ connection, schema });
    const documents = storedDocuments(connection, '"_former"', documentTextOf(former));
    for (const document of documents) writer.insert(document);
    connection.exec('DROP TABLE "_former"');
  }
  connection.run(
    'INSERT INTO _collections VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET layout = excluded.layout',
    [name, layoutOf(definition)],
  );
}

/** Creates the tables and indexes of a model if they are missing or differ from the declaration; of a read-only model, nothing. */
export function prepareTables(
  connection: Connection,
  collections: readonly CollectionDefinition[],
): ReadonlyMap<string, CollectionSchema> {
  const schemas = new Map(collections.map((definition) => [definition.name, schemaOf(definition)]));
  if (connection.isReadOnly) return schemas;
  // Usually there is nothing to do, and checking that must not wait for a writer's transaction.
  if (hasEngineTables(connection) && collections.every((definition) => isCurrent(connection, definition)))
    return schemas;
  connection.transaction(() => {
    connection.exec(ENGINE_TABLES);
    for (const definition of collections) {
      if (!isCurrent(connection, definition)) layOut(connection, definition, schemas.get(definition.name)!);
    }
  });
  return schemas;
}
