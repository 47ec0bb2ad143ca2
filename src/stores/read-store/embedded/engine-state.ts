import type { Lease } from '../port.js';
import type { Connection } from './connection.js';

const TABLES = `
  CREATE TABLE IF NOT EXISTS serving (model TEXT PRIMARY KEY NOT NULL, version INTEGER NOT NULL) WITHOUT ROWID, STRICT;
  CREATE TABLE IF NOT EXISTS leases (
    name TEXT PRIMARY KEY NOT NULL,
    holder TEXT,
    token INTEGER NOT NULL,
    expires_at REAL NOT NULL
  ) WITHOUT ROWID, STRICT;
  CREATE TABLE IF NOT EXISTS dropped (
    model TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (model, version)
  ) WITHOUT ROWID, STRICT;
`;

/** Takes a lease that is free or has expired (its token rises), or renews it for its owner. */
const ACQUIRE = `
  INSERT INTO leases VALUES (?1, ?2, 1, ?3 + ?4)
  ON CONFLICT (name) DO UPDATE SET
    token = token + (holder IS NOT excluded.holder),
    holder = excluded.holder,
    expires_at = excluded.expires_at
  WHERE holder IS NULL OR holder = excluded.holder OR expires_at <= ?3
  RETURNING token
`;

/** The shared state of all models: which versions serve, which were dropped, and the leases. */
export class EngineState {
  constructor(private readonly connection: Connection) {
    if (!connection.isReadOnly) connection.transaction(() => connection.exec(TABLES));
  }

  servingVersion(model: string): number | null {
    const [version] = this.connection.row('SELECT version FROM serving WHERE model = ?', [model]) ?? [];
    return (version as number | undefined) ?? null;
  }

  /** Returns false if the serving version was no longer `from`, or if `to` cannot serve. */
  switchVersion(model: string, from: number | null, to: number): boolean {
    return this.connection.transaction(
      () => !this.isDropped(model, to) && this.replaceServing(model, from, to),
    );
  }

  /** Records that a version was dropped for good; returns false without an effect if it serves. */
  drop(model: string, version: number): boolean {
    return this.connection.transaction(() => {
      if (this.servingVersion(model) === version) return false;
      this.connection.run('INSERT INTO dropped VALUES (?, ?) ON CONFLICT DO NOTHING', [model, version]);
      return true;
    });
  }

  isDropped(model: string, version: number): boolean {
    return this.droppedVersions(model).includes(version);
  }

  /** The dropped versions of a model, in increasing order. */
  droppedVersions(model: string): readonly number[] {
    // A read-only file of an earlier version may not have this table yet.
    if (this.connection.isReadOnly && !this.hasTable('dropped')) return [];
    return this.connection
      .rows('SELECT version FROM dropped WHERE model = ? ORDER BY version', [model])
      .map(([version]) => version as number);
  }

  private hasTable(name: string): boolean {
    return this.connection.row('SELECT 1 FROM sqlite_schema WHERE name = ?', [name]) !== undefined;
  }

  private replaceServing(model: string, from: number | null, to: number): boolean {
    const { changes } =
      from === null
        ? this.connection.run('INSERT INTO serving VALUES (?, ?) ON CONFLICT DO NOTHING', [model, to])
        : this.connection.run('UPDATE serving SET version = ? WHERE model = ? AND version = ?', [
            to,
            model,
            from,
          ]);
    return changes === 1;
  }

  acquireLease(name: string, owner: string, milliseconds: number): Lease | null {
    const row = this.connection.row(ACQUIRE, [name, owner, Date.now(), milliseconds]);
    return row ? { token: row[0] as number } : null;
  }

  releaseLease(name: string, owner: string): void {
    this.connection.run('UPDATE leases SET holder = NULL WHERE name = ? AND holder = ?', [name, owner]);
  }

  close(): void {
    this.connection.close();
  }
}
