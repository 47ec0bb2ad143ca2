import { setTimeout as delay } from 'node:timers/promises';
import Database from 'libsql';

const ATTEMPTS = 200;
const PAUSE_MILLISECONDS = 25;

/**
 * Writes a file's write-ahead log into the file, and truncates it: it still contains pages from before something was deleted. In the file
 * itself, deleted content is overwritten. Waits for readers and writers without blocking them.
 *
 * @returns false: somebody still used the log after five seconds
 */
export async function truncateJournal(file: string): Promise<boolean> {
  const database = new Database(file, { timeout: 0 });
  try {
    const checkpoint = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').raw();
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const [busy] = checkpoint.get() as [number];
      if (busy === 0) return true;
      await delay(PAUSE_MILLISECONDS);
    }
    return false;
  } finally {
    database.close();
  }
}
