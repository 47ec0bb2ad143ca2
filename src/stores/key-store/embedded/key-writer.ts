import { WriteConnection, type WriteStatement } from '../../sqlite/write-connection.js';
import type { WrappedKey } from '../port.js';

/** A change of the store. */
export type KeyWrite =
  | { readonly put: WrappedKey }
  | { readonly destroy: string }
  | { readonly rewrap: WrappedKey }
  | { readonly note: { readonly name: string; readonly text: string } };

interface Statements {
  readonly put: WriteStatement;
  readonly stored: WriteStatement;
  readonly bury: WriteStatement;
  readonly rewrap: WriteStatement;
  readonly note: WriteStatement;
}

const pragmas = ['busy_timeout = 5000', 'synchronous = FULL', 'secure_delete = ON'];

/** The connection that changes the store. Its errors are SQLite's own. */
export class KeyWriter {
  private constructor(
    private readonly connection: WriteConnection,
    private readonly statements: Statements,
  ) {}

  /** Opens a file whose tables exist. */
  static async open(file: string): Promise<KeyWriter> {
    const connection = await WriteConnection.open(file, pragmas);
    return new KeyWriter(connection, {
      put: await connection.prepare('INSERT INTO keys VALUES (?, ?, ?) ON CONFLICT DO NOTHING'),
      stored: await connection.prepare('SELECT wrapped_by, wrapped FROM keys WHERE id = ?'),
      bury: await connection.prepare(
        'INSERT INTO keys VALUES (?, NULL, NULL) ON CONFLICT DO UPDATE SET wrapped_by = NULL, wrapped = NULL',
      ),
      rewrap: await connection.prepare(
        'UPDATE keys SET wrapped_by = ?, wrapped = ? WHERE id = ? AND wrapped IS NOT NULL',
      ),
      note: await connection.prepare(
        'INSERT INTO notes VALUES (?, ?) ON CONFLICT DO UPDATE SET text = excluded.text',
      ),
    });
  }

  /** Applies changes atomically and durably. Returns the present key for each id; null: the key was destroyed, or the change returns none. */
  write(writes: readonly KeyWrite[]): Promise<readonly (WrappedKey | null)[]> {
    const writeAll = (): readonly (WrappedKey | null)[] => writes.map((write) => this.apply(write));
    return this.connection.transaction(writeAll);
  }

  close(): void {
    this.connection.close();
  }

  private apply(write: KeyWrite): WrappedKey | null {
    if ('put' in write) return this.put(write.put);
    if ('destroy' in write) return this.bury(write.destroy);
    if ('rewrap' in write) {
      const { id, wrappedBy, wrapped } = write.rewrap;
      this.statements.rewrap.run(wrappedBy, wrapped, id);
      return null;
    }
    this.statements.note.run(write.note.name, write.note.text);
    return null;
  }

  private put(key: WrappedKey): WrappedKey | null {
    const { put, stored } = this.statements;
    if (put.run(key.id, key.wrappedBy, key.wrapped).changes === 1) return key;
    const [wrappedBy, wrapped] = stored.get(key.id) as [string | null, Uint8Array | null];
    return wrapped && { id: key.id, wrappedBy, wrapped };
  }

  private bury(id: string): null {
    this.statements.bury.run(id);
    return null;
  }
}
