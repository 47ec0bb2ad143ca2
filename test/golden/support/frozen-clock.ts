/**
 * Loaded before the server (`--import`), in its main thread and in every worker: the clock stands still, and only
 * headers of requests advance it. So the times in a recorded session are the same in every run.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

/** Advances the clock by a number of seconds. */
const BY = 'x-golden-seconds';
/** Sets the clock to a number of seconds after the start. */
const TO = 'x-golden-clock';
const SHARED = 'golden-clock';
const START = Date.UTC(2026, 0, 1);

const memory = isMainThread ? new SharedArrayBuffer(8) : (getEnvironmentData(SHARED) as SharedArrayBuffer);
/** Milliseconds since the UNIX epoch, shared by all threads. */
const clock = new Float64Array(memory);

if (isMainThread) {
  clock[0] = START;
  setEnvironmentData(SHARED, memory);
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { readonly request: IncomingMessage };
    const to = START + Number(request.headers[TO] ?? 0) * 1000;
    clock[0] = Math.max(now() + Number(request.headers[BY] ?? 0) * 1000, to);
  });
}

function now(): number {
  return clock[0] ?? START;
}

Date.now = now;
globalThis.Date = new Proxy(Date, {
  construct: (target, values: unknown[], made) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values, made) as Date,
  apply: () => new Date(now()).toString(),
});
