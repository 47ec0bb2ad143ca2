import Database from 'libsql';
import { modelPragmas } from '../../../src/stores/read-store/embedded/connection.js';

/** The number of rows in a transaction, the same as in the engine's batches. */
const ROWS_IN_TRANSACTION = 2_000;

/**
 * Copies a model's documents into another file with the same tables and indexes, with the driver alone: each
 * document becomes JSON text and one bound row. The tables of a term index are copied as bytes, because computing
 * them from the documents is not the driver's work.
 *
 * @returns the number of messages, and the seconds for inserting, without reading
 */
export function copyModel(from: string, to: string): { readonly messages: number; readonly seconds: number } {
  const source = new Database(from, { readonly: true });
  const target = new Database(to);
  try {
    for (const pragma of modelPragmas) target.exec(pragma);
    const definitions = source
      .prepare(
        `SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND substr(tbl_name, 1, 1) <> '_' AND sql NOT LIKE 'CREATE VIRTUAL %'`,
      )
      .raw()
      .all() as [type: string, name: string, sql: string][];
    for (const [, , sql] of definitions) target.exec(sql);
    const tables = definitions.filter(([type]) => type === 'table').map(([, name]) => name);
    const copies = tables.map((table) => ({ table, ...copyTable(source, target, table) }));
    return {
      messages: copies.find(({ table }) => table === 'messages')?.rows ?? 0,
      seconds: copies.reduce((sum, { seconds }) => sum + seconds, 0),
    };
  } finally {
    source.close();
    target.close();
  }
}

function copyTable(
  source: Database.Database,
  target: Database.Database,
  table: string,
): { readonly rows: number; readonly seconds: number } {
  const columns = source.prepare(`SELECT name FROM pragma_table_info(?)`).raw().all(table) as [string][];
  const at = columns.findIndex(([name]) => name === 'document');
  const select = source.prepare(`SELECT * FROM "${table}" LIMIT ? OFFSET ?`).raw();
  const insert = target.prepare(`INSERT INTO "${table}" VALUES (${columns.map(() => '?').join(', ')})`);
  let [rows, seconds] = [0, 0];
  for (;;) {
    const page = select.all(ROWS_IN_TRANSACTION, rows) as unknown[][];
    const documents = page.map((row) => (at < 0 ? null : (JSON.parse(row[at] as string) as unknown)));
    const start = performance.now();
    target.exec('BEGIN IMMEDIATE');
    for (const [index, row] of page.entries()) {
      if (at >= 0) row[at] = JSON.stringify(documents[index]);
      insert.run(row);
    }
    target.exec('COMMIT');
    seconds += (performance.now() - start) / 1000;
    rows += page.length;
    if (page.length < ROWS_IN_TRANSACTION) return { rows, seconds };
  }
}
