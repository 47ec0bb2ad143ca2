import { Worker } from 'node:worker_threads';
import type { ReceivedMail } from './read-mail.js';

/** Milliseconds: honest mail takes a fraction of the first. */
const timeout = 10_000;

/** Honest mail takes a few times its size. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

/** The mail is malformed, or takes more time or memory than a mail is worth. */
export class UnreadableMailError extends Error {
  override readonly name = 'UnreadableMailError';
}

/**
 * Reads mails, each in a thread of its own and one after another: one that is made to take minutes to read, or all memory,
 * holds up other mails for a while, and no request.
 */
export class MailReading {
  private last: Promise<unknown> = Promise.resolve();

  /**
   * @returns null for a mail that a program wrote by itself
   * @throws UnreadableMailError
   */
  read(bytes: Uint8Array): Promise<ReceivedMail | null> {
    const reading = this.last.then(() => readApart(bytes));
    this.last = reading.catch(() => null);
    return reading;
  }
}

async function readApart(bytes: Uint8Array): Promise<ReceivedMail | null> {
  const thread = new Worker(new URL('./mail-thread.js', import.meta.url), {
    workerData: bytes,
    resourceLimits,
  });
  const timer = setTimeout(() => void thread.terminate(), timeout);
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
