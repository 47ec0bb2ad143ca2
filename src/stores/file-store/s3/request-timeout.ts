/** How long a bucket may take to begin its reply, in milliseconds. */
export const REPLY_TIMEOUT = 30_000;

/** Minimum speed of an upload to a bucket, in bytes per millisecond. Slower uploads are aborted. */
const SLOWEST = 64;

/** How long it may take to send a file of this size to a bucket, in milliseconds. */
export function uploadTimeout(bytes: number, replyTimeout = REPLY_TIMEOUT): number {
  return replyTimeout + bytes / SLOWEST;
}

/**
 * Aborts a request to a bucket if its reply does not begin within the timeout. The body of the reply may take longer,
 * because its reader may be slow.
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
