import type { Keyed } from '../port.js';
import { termsOf } from '../language/terms.js';
import type { TermIndex } from './collection-schema.js';
import type { Connection } from './connection.js';

/** Maintains an index of terms, inside of the caller's transaction. */
export class TermWriter {
  private readonly addSql: string;
  private readonly removeSql: string;

  constructor(
    private readonly connection: Connection,
    private readonly index: TermIndex,
  ) {
    const { table } = index;
    this.addSql = `INSERT INTO ${table} (rowid, terms) VALUES (?, ?)`;
    this.removeSql = `INSERT INTO ${table} (${table}, rowid, terms) VALUES ('delete', ?, ?)`;
  }

  /** Records a change of a row's document; null: it did not, or does not, exist. */
  exchange(row: number, before: Keyed | null, after: Keyed | null): void {
    const { definition } = this.index;
    const { of } = definition;
    if (before?.[of] === after?.[of]) return;
    const old = new Set(termsOf(definition, before?.[of]));
    const terms = termsOf(definition, after?.[of]);
    const added = terms.filter((term) => !old.has(term));
    const kept = new Set(terms);
    // A remaining row is removed and inserted again with its changed terms, because SQLite counts rows.
    if (old.size > 0)
      this.run(
        this.removeSql,
        row,
        [...old].filter((term) => !kept.has(term)),
      );
    if (terms.length > 0) this.run(this.addSql, row, added);
  }

  private run(sql: string, row: number, terms: readonly string[]): void {
    this.connection.run(sql, [BigInt(row), terms.join(' ')]);
  }
}
