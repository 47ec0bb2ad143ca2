import type { FastifyReply } from 'fastify';
import type { Readable } from 'node:stream';
import { budgets } from '../kernel/budgets.js';
import { failure } from '../kernel/errors.js';
import { clientKeyOf, type ClientKey } from './limits/request-limits.js';

/** How many files each recipient has open. */
const counts = new Map<ClientKey, number>();

/**
 * Opens a file whose bytes are the reply. Its place is taken before it is opened, and is free again when the stream is
 * closed: until then, it keeps a file open, or one of the connections to the bucket.
 *
 * @throws ApplicationError `rateLimitHit` when the recipient has too many open
 */
export async function openForReply(reply: FastifyReply, open: () => Promise<Readable>): Promise<Readable> {
  const recipient = clientKeyOf(reply);
  const count = counts.get(recipient) ?? 0;
  if (count >= maxOf(recipient)) throw failure('rateLimitHit', { 'retry-after': 1 });
  counts.set(recipient, count + 1);
  try {
    const content = await open();
    return content.once('close', () => release(recipient));
  } catch (error) {
    release(recipient);
    throw error;
  }
}

/** A network may be that of many people, whose browsers ask for all pictures of a page at once. */
function maxOf(recipient: ClientKey): number {
  const { openFilesOfAccount, openFilesOfNetwork } = budgets;
  return typeof recipient === 'number' ? openFilesOfAccount.max : openFilesOfNetwork.max;
}

function release(recipient: ClientKey): void {
  const left = (counts.get(recipient) ?? 0) - 1;
  if (left > 0) counts.set(recipient, left);
  else counts.delete(recipient);
}
