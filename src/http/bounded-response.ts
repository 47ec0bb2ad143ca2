/** Bytes of a reply of another service, such as the push relay: far more than any of them sends. */
export const MAX_REPLY_BYTES = 1_048_576;

/**
 * Reads the body of a reply. If it is longer than {@link MAX_REPLY_BYTES}, the connection is closed.
 *
 * @throws TypeError, as `fetch` does for a reply that cannot be read
 */
async function readBounded(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    // Leaving the loop closes the connection.
    if (size > MAX_REPLY_BYTES) throw new TypeError('The reply is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Like `fetch`, for replies that are read as a whole: with a limit on their size. */
export async function fetchBounded(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options);
  const { status, statusText, headers } = response;
  const body = await readBounded(response);
  return new Response(body.length === 0 ? null : body, { status, statusText, headers });
}
