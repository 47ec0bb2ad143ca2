import 'reflect-metadata';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { claimedOrganization } from '../audit/names.js';
import { lastEventAt } from '../audit/past/position-at.js';
import type { ProofResult, ProofTask } from '../audit/proofs/proof-task.js';
import { proofBundleIn, signatureFault } from '../audit/sealing/check-bundle.js';
import { makeProofBundle } from '../audit/sealing/make-proof-bundle.js';
import type { AnyProofBundle } from '../audit/sealing/proof-bundle.js';
import { eventsToProve, unprovenIn } from '../audit/sealing/prove-events.js';
import { loadSigningKey } from '../audit/sealing/signing-key.js';
import { verifyStores, type VerificationProgress } from '../audit/verification/verify-stores.js';
import { budgets } from '../kernel/budgets.js';
import { OperatorError } from '../kernel/errors.js';
import { openLogToRead } from '../stores/open-log.js';
import { STOP } from './run-thread.js';
import { placementsIn, type OpenPast } from './past-placements.js';
import { PastNode } from './past-node.js';
import type { ProofThreadData, ProofThreadMessage } from './proof-in-thread.js';

const { configuration, task } = workerData as ProofThreadData;

/** A proof that cannot be made. The message is a sentence for the requester. */
class NotProvableError extends OperatorError {
  override readonly name = 'NotProvableError';
}

/** The thread's entry: opens its own stores, reads the log, reports and ends. */
async function main(port: NonNullable<typeof parentPort>): Promise<void> {
  const ending = new AbortController();
  port.on('message', (message) => message === STOP && ending.abort());
  const send = (message: ProofThreadMessage): void => port.postMessage(message);
  const report = (progress: VerificationProgress): void => {
    ending.signal.throwIfAborted();
    send({ type: 'progress', progress });
  };
  try {
    send({ type: 'done', result: await resultOf(task, { report, signal: ending.signal }) });
  } catch (error) {
    if (!ending.signal.aborted) {
      if (!(error instanceof OperatorError)) throw error;
      send({ type: 'refused', reason: error.message });
    }
  } finally {
    port.close();
  }
}

interface Progress {
  /** @throws the reason of the abort */
  readonly report: (progress: VerificationProgress) => void;
  /** Aborted when the task is cancelled. */
  readonly signal: AbortSignal;
}

async function resultOf(asked: ProofTask, progress: Progress): Promise<ProofResult> {
  if (asked.kind === 'bundle') return bundleOf(asked, progress);
  const kept = keptBundle(asked.kept);
  const fault = kept === null ? null : signatureFault(kept, undefined);
  if (fault !== null) throw new NotProvableError(`The proof bundle proves nothing: ${fault}`);
  const knownTreeHeads = kept === null ? [] : [kept.claim];
  const verified = await verifyStores(configuration, {
    knownTreeHeads,
    withKeys: true,
    onProgress: progress.report,
  });
  return { kind: 'verification', report: verified };
}

async function bundleOf(
  { messageId, earlier }: Extract<ProofTask, { kind: 'bundle' }>,
  { report, signal }: Progress,
): Promise<ProofResult> {
  const wanted = messageId === null ? [] : [String(messageId)];
  const stores = await openLogToRead(configuration);
  try {
    const { log, eventStore } = stores;
    const head = await eventStore.head();
    const open: OpenPast = async ({ position }) => {
      const last = await lastEventAt(eventStore, { position });
      return PastNode.open({ configuration, stores, signal }, { position, now: last?.at ?? 0 });
    };
    const bundle = await makeProofBundle(eventStore, {
      organization: await claimedOrganization(log),
      statedAt: new Date().toISOString(),
      earlier: keptBundle(earlier),
      proves: await eventsToProve(log, wanted, placementsIn(open)),
      maxEvents: budgets.proofEvents.max,
      key: await loadSigningKey(configuration.dataDirectory),
      onProgress: async (position, size) => {
        report({ position, events: size, head });
        // Lets the thread receive messages, such as the one to stop.
        await nextTurn();
      },
    });
    if (unprovenIn(bundle, wanted) !== undefined)
      throw new NotProvableError(`The log holds no message ${wanted.join()}`);
    return { kind: 'bundle', bundle };
  } finally {
    await stores.close();
  }
}

function keptBundle(text: string | null): AnyProofBundle | null {
  if (text === null) return null;
  const bundle = proofBundleIn(text);
  if (bundle === null) throw new NotProvableError('The file is not a proof bundle');
  return bundle;
}

if (parentPort === null) throw new Error('This module runs in a worker thread');
await main(parentPort);
