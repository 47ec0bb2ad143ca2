import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A request that is sent again and again. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A stretch of load on one server. */
export interface Load {
  readonly site: string;
  /** Sent in turn on each connection; each begins with another, as far as there are. */
  readonly requests: readonly LoadRequest[];
  readonly connections: number;
  readonly seconds: number;
  /** So many requests, however long they take, instead of so many seconds. */
  readonly amount?: number;
}

/** How a server stood it. */
export interface LoadResult {
  /** Successes a second. */
  readonly rate: number;
  /** How many there were. */
  readonly replies: number;
  /** Milliseconds that half of the requests took at most. */
  readonly p50: number;
  /** Milliseconds that all but one request of a hundred took at most. */
  readonly p99: number;
  readonly bytesPerReply: number;
}

/**
 * Loads a server from a process of its own.
 *
 * @throws Error when any request failed
 */
export async function putUnderLoad(load: Load): Promise<LoadResult> {
  const generator = fork(fileURLToPath(new URL('load-generator.js', import.meta.url)));
  const ended = once(generator, 'exit');
  generator.send(load);
  const [result] = (await once(generator, 'message')) as [LoadResult | { readonly failed: string }];
  await ended;
  if ('failed' in result) throw new Error(`The load on ${load.site} failed: ${result.failed}`);
  return result;
}
