/** How long a bucket may take to begin its reply, in milliseconds. */
export const REPLY_TIMEOUT = 30_000;

/** Bytes per millisecond: slower uploads to a bucket are given up. */
const SLOWEST = 64;

/** How long it may take to send a file of this size to a bucket, in milliseconds. */
export function uploadTimeout(bytes: number, replyTimeout = REPLY_TIMEOUT): number {
  return replyTimeout + bytes / SLOWEST;
}

/**
 * Ends a request to a bucket whose reply does not begin in time. What the reply contains may take longer, because
 * whoever reads it may be slow.
 *
 * @param ask rejects when its signal is aborted
 */
export async function withTimeout<Reply>(
  milliseconds: number,
  ask: (abortSignal: AbortSignal) => Promise<Reply>,
): Promise<Reply> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), milliseconds);
  try {
    return await ask(ending.signal);
  } finally {
    clearTimeout(timer);
  }
}
