import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Configuration } from '../config.js';
import { whileChecked } from '../runtime/while-checked.js';
import { createsServerKey } from '../stores/open-log.js';
import { StoreServerError, type StoreProblem } from '../stores/store-problem.js';

/** How often a server is tried, and how often what the start waits for is logged for the operator, in milliseconds. */
const PROBE_EVERY = 250;
const REPORT_EVERY = 5_000;

/** The addresses of the servers, and how long to wait for them. */
export type StoreServers = Pick<Configuration, 'eventStoreUrl' | 'mongodbUrl' | 'storesTimeoutSeconds'>;

/**
 * Waits until the servers that hold the stores are available, because they may be starting at the same time.
 *
 * @param report called every few seconds with a sentence that says what is waited for, and why
 * @throws StoreServerError when waiting does not help, or after the timeout
 */
export async function waitForStores(
  { eventStoreUrl, mongodbUrl, storesTimeoutSeconds }: StoreServers,
  report: (sentence: string) => void,
): Promise<void> {
  const until = performance.now() + storesTimeoutSeconds * 1000;
  const waiting = { until, report };
  if (eventStoreUrl !== null) {
    const { probeEventStoreDb } = await import('../stores/event-store/eventstoredb/probe.js');
    await waitUntilUsable(() => probeEventStoreDb(eventStoreUrl), waiting);
  }
  if (mongodbUrl !== null) {
    const { probeMongo } = await import('../stores/mongodb/stores.js');
    await waitUntilUsable(() => probeMongo(mongodbUrl), waiting);
  }
}

/** Where a process expects the server key, and how long it waits for it. */
export type ExpectedServerKey = Pick<
  Configuration,
  'nodeRoles' | 'serverKeyFile' | 'dataDirectory' | 'storesTimeoutSeconds'
>;

/**
 * Waits for a server key that another process creates: the first start of a process with the role `api` does, and a
 * projector that shares its key may start before it.
 *
 * @param report called every few seconds with a sentence that says what is waited for
 * @throws StoreServerError after the timeout
 */
export async function waitForServerKey(
  configuration: ExpectedServerKey,
  report: (sentence: string) => void,
): Promise<void> {
  const { nodeRoles, serverKeyFile, storesTimeoutSeconds } = configuration;
  if (nodeRoles.has('api') || createsServerKey(configuration)) return;
  const missing: StoreProblem = {
    what: `the server key ${serverKeyFile}`,
    reason: 'it does not exist. The first start of a process with the role api creates it',
    isPermanent: false,
  };
  const until = performance.now() + storesTimeoutSeconds * 1000;
  await waitUntilUsable(async () => (existsSync(serverKeyFile) ? null : missing), { until, report });
}

/** After this time, in milliseconds, a running task's stores are checked. */
const QUIET = 3_000;

/**
 * Runs a task that uses the stores. If it takes long, checks the stores, and stops waiting for the task when one of
 * their servers is down.
 *
 * @throws StoreServerError
 */
export function whileStoresAnswer<Result>(
  servers: Pick<StoreServers, 'eventStoreUrl' | 'mongodbUrl'>,
  task: () => Promise<Result>,
): Promise<Result> {
  const check = (): Promise<void> => waitForStores({ ...servers, storesTimeoutSeconds: 0 }, () => undefined);
  return whileChecked(task, check, QUIET);
}

async function waitUntilUsable(
  probe: () => Promise<StoreProblem | null>,
  { until, report }: { readonly until: number; readonly report: (sentence: string) => void },
): Promise<void> {
  let reportedAt = -Infinity;
  for (let problem = await probe(); problem !== null; problem = await probe()) {
    const now = performance.now();
    if (problem.isPermanent || now >= until) throw new StoreServerError(problem);
    if (now - reportedAt >= REPORT_EVERY) {
      report(`Waiting for ${problem.what}: ${problem.reason}`);
      reportedAt = now;
    }
    await pause(Math.min(PROBE_EVERY, until - now));
  }
}
