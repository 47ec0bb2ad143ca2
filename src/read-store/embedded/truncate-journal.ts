import { setTimeout as delay } from 'node:timers/promises';
import Database from 'libsql';
import { ReadStoreUnavailableError } from '../port.js';

const ATTEMPTS = 200;
const PAUSE_MILLISECONDS = 25;

/**
 * Takes over into a file what its write-ahead journal holds, and empties the journal: it still holds pages as they were before
 * something in them was deleted. Deleted content is overwritten in the file itself. Waits for readers and writers.
 */
export async function truncateJournal(file: string): Promise<void> {
  const database = new Database(file, { timeout: 1_000 });
  try {
    const checkpoint = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').raw();
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const [busy] = checkpoint.get() as [number];
      if (busy === 0) return;
      await delay(PAUSE_MILLISECONDS);
    }
  } finally {
    database.close();
  }
  throw new ReadStoreUnavailableError(`What was deleted in ${file} could not be overwritten yet`);
}
