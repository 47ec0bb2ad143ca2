import { setTimeout as pause } from 'node:timers/promises';
import type { Configuration } from '../config.js';
import { StoreServerError, type StoreProblem } from '../stores/store-problem.js';

/** How often a server is looked for, and how often it is said that it is waited for, in milliseconds. */
const LOOK_EVERY = 250;
const SAY_EVERY = 5_000;

/** Where the servers are, and how long they are waited for. */
export type StoreServers = Pick<Configuration, 'eventStoreUrl' | 'mongodbUrl' | 'storesTimeoutSeconds'>;

/**
 * Waits until the servers that hold the stores can be used: they may be starting, too.
 *
 * @param say told every few seconds what is waited for, and why
 * @throws StoreServerError for what waiting does not mend, or when it took too long
 */
export async function waitForStores(
  { eventStoreUrl, mongodbUrl, storesTimeoutSeconds }: StoreServers,
  say: (sentence: string) => void,
): Promise<void> {
  const until = performance.now() + storesTimeoutSeconds * 1000;
  const waiting = { until, say };
  if (eventStoreUrl !== null) {
    const { probeEventStoreDb } = await import('../stores/event-store/eventstoredb/probe.js');
    await waitUntilUsable(() => probeEventStoreDb(eventStoreUrl), waiting);
  }
  if (mongodbUrl !== null) {
    const { probeMongo } = await import('../stores/mongodb/stores.js');
    await waitUntilUsable(() => probeMongo(mongodbUrl), waiting);
  }
}

/** How long something that needs the stores may take before it is asked whether they are there, in milliseconds. */
const QUIET = 3_000;

/**
 * Does what needs the stores; where that takes long because one of their servers is gone, it is not waited for any longer.
 *
 * @throws StoreServerError
 */
export async function whileStoresAnswer<Result>(
  servers: Pick<StoreServers, 'eventStoreUrl' | 'mongodbUrl'>,
  task: () => Promise<Result>,
): Promise<Result> {
  const done = new AbortController();
  const looking = async (): Promise<never> => {
    for (;;) {
      await pause(QUIET, undefined, { signal: done.signal });
      await waitForStores({ ...servers, storesTimeoutSeconds: 0 }, () => undefined);
    }
  };
  // Of the two, what the later one comes to is not heard any more.
  const [running, watching] = [task(), looking()];
  for (const each of [running, watching]) each.catch(() => undefined);
  try {
    return await Promise.race([running, watching]);
  } finally {
    done.abort();
  }
}

async function waitUntilUsable(
  probe: () => Promise<StoreProblem | null>,
  { until, say }: { readonly until: number; readonly say: (sentence: string) => void },
): Promise<void> {
  let saidAt = -Infinity;
  for (let problem = await probe(); problem !== null; problem = await probe()) {
    const now = performance.now();
    if (problem.isPermanent || now >= until) throw new StoreServerError(problem);
    if (now - saidAt >= SAY_EVERY) {
      say(`Waiting for ${problem.what}: ${problem.reason}`);
      saidAt = now;
    }
    await pause(Math.min(LOOK_EVERY, until - now));
  }
}
