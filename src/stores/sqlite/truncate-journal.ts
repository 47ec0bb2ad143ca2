import { setTimeout as delay } from 'node:timers/promises';
import Database from 'libsql';

const ATTEMPTS = 200;
const PAUSE_MILLISECONDS = 25;

/**
 * Takes over into a file what its write-ahead journal holds, and empties the journal: it still holds pages as they were before
 * something in them was deleted. Deleted content is overwritten in the file itself. Waits for readers and writers without
 * holding anybody up.
 *
 * @returns false when somebody still used the journal after five seconds
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
