import { Worker } from 'node:worker_threads';
import type { ReceivedMail } from './read-mail.js';

/** Timeout in milliseconds: legitimate mail takes a fraction of a second. */
const TIMEOUT = 10_000;

/** Legitimate mail takes a few times its size. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

/** The mail is malformed, or takes too much time or memory to parse. */
export class UnreadableMailError extends Error {
  override readonly name = 'UnreadableMailError';
}

/**
 * Parses mails one after another, each in a thread of its own: a mail made to take minutes or all memory
 * delays other mails, but no request.
 */
export class MailParser {
  private last: Promise<unknown> = Promise.resolve();

  /**
   * @returns null for a mail that was sent automatically
   * @throws UnreadableMailError
   */
  read(bytes: Uint8Array): Promise<ReceivedMail | null> {
    const parsed = this.last.then(() => readApart(bytes));
    this.last = parsed.catch(() => null);
    return parsed;
  }
}

async function readApart(bytes: Uint8Array): Promise<ReceivedMail | null> {
  const thread = new Worker(new URL('./mail-thread.js', import.meta.url), {
    workerData: bytes,
    resourceLimits,
  });
  const timer = setTimeout(() => void thread.terminate(), TIMEOUT);
  try {
    return await new Promise((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', ({ message }) => reject(new UnreadableMailError(message)));
      thread.once('exit', () => reject(new UnreadableMailError('It takes too long to read')));
    });
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
