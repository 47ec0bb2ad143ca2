import 'reflect-metadata';
import { parentPort, workerData } from 'node:worker_threads';
import { lastEventAt } from '../audit/past/position-at.js';
import { asApplicationError } from '../http/as-application-error.js';
import { openLogToRead } from '../stores/open-log.js';
import type { ReconstructionThreadAnswer, ReconstructionThreadData } from './reconstruct-in-thread.js';
import { STOP } from './run-thread.js';
import { viewsOfMessage } from './message-views.js';
import { PastNode } from './past-node.js';

/** The thread's entry: opens its own stores, builds the past, answers and ends. */
async function main(port: NonNullable<typeof parentPort>): Promise<void> {
  const ending = new AbortController();
  port.on('message', (message) => message === STOP && ending.abort());
  const answer = (message: ReconstructionThreadAnswer): void => port.postMessage(message);
  try {
    answer({ type: 'done', found: await reconstruct(ending.signal) });
  } catch (error) {
    if (!ending.signal.aborted) {
      if (asApplicationError(error).row !== 'unavailable') throw error;
      answer({ type: 'unavailable' });
    }
  } finally {
    port.close();
  }
}

async function reconstruct(signal: AbortSignal): ReturnType<typeof viewsOfMessage> {
  const { configuration, input } = workerData as ReconstructionThreadData;
  const stores = await openLogToRead(configuration);
  try {
    const { eventStore, log } = stores;
    const open = async ({ position }: { readonly position: number }): Promise<PastNode> => {
      signal.throwIfAborted();
      const last = await lastEventAt(eventStore, { position });
      return PastNode.open({ configuration, stores, signal }, { position, now: last?.at ?? 0 });
    };
    return await viewsOfMessage({ log, open }, input, { signal });
  } finally {
    await stores.close();
  }
}

if (parentPort === null) throw new Error('This module runs in a worker thread');
await main(parentPort);
