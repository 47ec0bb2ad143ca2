import Database from 'libsql';
import { makePrivateFile, openingFile } from '../../sqlite/database-file.js';
import { inTransaction } from '../../sqlite/secret-database.js';
import { QueueStoreUnavailableError, type QueueStore, type StoredQueue } from '../port.js';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS queues (
    id TEXT PRIMARY KEY NOT NULL,
    user_id INTEGER NOT NULL,
    holder TEXT NOT NULL,
    options TEXT NOT NULL,
    base INTEGER NOT NULL,
    settled INTEGER NOT NULL,
    acknowledged INTEGER NOT NULL,
    first INTEGER,
    until INTEGER NOT NULL
  ) WITHOUT ROWID, STRICT;
  CREATE INDEX IF NOT EXISTS queues_by_until ON queues (until)`;

const COLUMNS = 'id, user_id, holder, options, base, settled, acknowledged, first, until';

type Row = [
  id: string,
  userId: number,
  holder: string,
  options: string,
  base: number,
  settled: number,
  acknowledged: number,
  first: number | null,
  until: number,
];

/**
 * Opens or creates the file of the queues. Commits are not synced: they survive the process, and a power failure loses the last moments at
 * most. Clients then get events again, or register again.
 *
 * @throws UnreadableFileError
 */
export function openEmbeddedQueueStore({ file }: { readonly file: string }): QueueStore {
  makePrivateFile(file);
  return openingFile(file, () => {
    const database = new Database(file);
    for (const pragma of ['journal_mode = WAL', 'synchronous = NORMAL', 'secure_delete = ON']) {
      database.exec(`PRAGMA ${pragma}`);
    }
    database.exec(SCHEMA);
    return new EmbeddedQueueStore(database);
  });
}

/** Only one process has the file open, so every other process that held a queue has ended. */
class EmbeddedQueueStore implements QueueStore {
  private readonly upsert: Database.Statement;
  private readonly select: Database.Statement;
  private readonly update: Database.Statement;
  private readonly delete: Database.Statement;
  private isClosed = false;

  constructor(private readonly database: Database.Database) {
    this.upsert = database.prepare(
      `INSERT OR REPLACE INTO queues (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.select = database.prepare(`SELECT ${COLUMNS} FROM queues WHERE id = ?`).raw();
    this.update = database.prepare('UPDATE queues SET holder = ? WHERE id = ? AND holder = ?');
    this.delete = database.prepare(
      'DELETE FROM queues WHERE id IN (SELECT value FROM json_each(?)) AND holder = ?',
    );
  }

  async put(queues: readonly StoredQueue[]): Promise<readonly string[]> {
    this.guarded(() =>
      inTransaction(this.database, () => {
        for (const queue of queues) this.upsert.run(rowOf(queue));
      }),
    );
    return [];
  }

  async find(id: string): Promise<StoredQueue | null> {
    const row = this.guarded(() => this.select.get([id]) as Row | undefined);
    return row === undefined ? null : queueOf(row);
  }

  async take(id: string, { from, to }: { readonly from: string; readonly to: string }): Promise<boolean> {
    return this.guarded(() => this.update.run([to, id, from]).changes === 1);
  }

  async remove(ids: readonly string[], holder: string): Promise<void> {
    this.guarded(() => this.delete.run([JSON.stringify(ids), holder]));
  }

  async removeRegisteredBefore(position: number): Promise<void> {
    this.guarded(() => this.database.prepare('DELETE FROM queues WHERE base < ?').run([position]));
  }

  async removeBefore(time: number): Promise<void> {
    this.guarded(() => this.database.prepare('DELETE FROM queues WHERE until < ?').run([time]));
  }

  async leastSettled(): Promise<number | null> {
    const min = this.database.prepare('SELECT min(settled) FROM queues').raw();
    return this.guarded(() => (min.get([]) as [number | null])[0]);
  }

  async noteHolder(): Promise<void> {}

  async holderUntil(): Promise<null> {
    return null;
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.database.close();
  }

  private guarded<Result>(task: () => Result): Result {
    if (this.isClosed) throw new QueueStoreUnavailableError('The store of queues is closed');
    try {
      return task();
    } catch (cause) {
      throw new QueueStoreUnavailableError('The store of queues cannot read or write its file', { cause });
    }
  }
}

function rowOf(queue: StoredQueue): Row {
  const { id, userId, holder, options, base, settled, acknowledged, first, until } = queue;
  return [id, userId, holder, options, base, settled, acknowledged, first, until];
}

function queueOf([id, userId, holder, options, base, settled, acknowledged, first, until]: Row): StoredQueue {
  return { id, userId, holder, options, base, settled, acknowledged, first, until };
}
