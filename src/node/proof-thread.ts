import 'reflect-metadata';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
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
import { placementsIn, type OpenPast } from './past-placements.js';
import { PastNode } from './past-node.js';
import type { ProofThreadData } from './proof-in-thread.js';
import { operatorRefusal, runTaskThread, type ThreadTask } from './task-thread.js';

/** A proof that cannot be made. The message is a sentence for the requester. */
class NotProvableError extends OperatorError {
  override readonly name = 'NotProvableError';
}

/** What a task is done with. */
interface ProofRun extends Pick<ProofThreadData, 'configuration'> {
  /** @throws the reason of the abort */
  readonly report: (progress: VerificationProgress) => void;
  /** Aborted when the task is cancelled. */
  readonly signal: AbortSignal;
}

/** Opens the thread's own stores and reads the log. */
async function perform(
  { configuration, task }: ProofThreadData,
  { signal, reportProgress }: ThreadTask<VerificationProgress>,
): Promise<ProofResult> {
  const report = (progress: VerificationProgress): void => {
    signal.throwIfAborted();
    reportProgress(progress);
  };
  return resultOf(task, { configuration, report, signal });
}

async function resultOf(asked: ProofTask, run: ProofRun): Promise<ProofResult> {
  if (asked.kind === 'bundle') return bundleOf(asked, run);
  const kept = keptBundle(asked.kept);
  const fault = kept === null ? null : signatureFault(kept, undefined);
  if (fault !== null) throw new NotProvableError(`The proof bundle proves nothing: ${fault}`);
  const knownTreeHeads = kept === null ? [] : [kept.claim];
  const verified = await verifyStores(run.configuration, {
    knownTreeHeads,
    withKeys: true,
    onProgress: run.report,
  });
  return { kind: 'verification', report: verified };
}

async function bundleOf(
  { subject, earlier }: Extract<ProofTask, { kind: 'bundle' }>,
  { configuration, report, signal }: ProofRun,
): Promise<ProofResult> {
  const wanted = subject === null ? [] : [String(subject.id)];
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
        await yieldToEventLoop();
      },
    });
    if (subject !== null && unprovenIn(bundle, wanted) !== undefined)
      throw new NotProvableError(`The log holds no ${subject.kind} ${subject.id}`);
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

await runTaskThread(perform, operatorRefusal);
