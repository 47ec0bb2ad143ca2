import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A request that is sent repeatedly. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A load on one server. */
export interface Load {
  readonly site: string;
  /** Sent in turn on each connection. Connections start with different requests, if there are enough. */
  readonly requests: readonly LoadRequest[];
  readonly connections: number;
  readonly seconds: number;
  /** The number of requests; given, it replaces the limit in seconds. */
  readonly amount?: number;
}

/** The result of a load. */
export interface LoadResult {
  /** Successful replies a second. */
  readonly rate: number;
  /** The number of successful replies. */
  readonly replies: number;
  /** The median of the request times, in milliseconds. */
  readonly p50: number;
  /** The 99th percentile of the request times, in milliseconds. */
  readonly p99: number;
  readonly bytesPerReply: number;
}

/**
 * Generates load on a server from a separate process.
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
