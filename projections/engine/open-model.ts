import type { ModelStore, ReadStore } from '../../src/stores/read-store/port.js';
import { journalCollection } from './batch-journal.js';
import type { AppliedModel, BatchLimits } from './event-applier.js';
import { GuardedModelWriter } from './guarded-model-writer.js';
import { AtomicModelWriter } from './model-writer.js';
import type { Logger } from './logger.js';
import type { Projection } from './projection.js';
import { reportWhileRunning } from './report-while-running.js';

/** Without atomic batches, a batch is written twice (see the journal) and readers see it half done, so it is kept small. */
const GUARDED_BATCH_EVENTS = 100;

/** A projection and one stored version of its model. */
export interface StoredModel {
  readonly projection: Projection;
  readonly model: ModelStore;
}

/** Opens a stored version of a projection's model for reading and writing. */
export async function openModel(
  readStore: ReadStore,
  projection: Projection,
  version: number,
): Promise<StoredModel> {
  const { name, collections } = projection;
  const all = readStore.atomicBatches ? collections : [...collections, journalCollection(name)];
  return { projection, model: await readStore.openModel(name, version, all) };
}

/** Where a version is opened, and who is notified while that takes long. */
interface ReportedOpening {
  readonly readStore: ReadStore;
  readonly logger: Logger;
  /** Called every few seconds, with what the opening waits for. */
  readonly onWait?: (reason: string) => void;
}

/** Like {@link openModel}; an opening that takes long is logged every few seconds. */
export function openModelReporting(
  { readStore, logger, onWait }: ReportedOpening,
  projection: Projection,
  version: number,
): Promise<StoredModel> {
  return reportWhileRunning(
    () => openModel(readStore, projection, version),
    (seconds) => {
      const reason = `The read store has not opened it for ${seconds} s: it creates collections and indexes, which takes long on large models`;
      logger.warn({ projection: projection.name, version, reason }, 'A projection waits for its stores');
      onWait?.(reason);
    },
  );
}

/** The handle with which the lease's owner writes to a model. */
export function writable(
  { atomicBatches }: ReadStore,
  { projection, model }: StoredModel,
  { fencingToken, limits }: { readonly fencingToken: number; readonly limits: BatchLimits },
): AppliedModel {
  const target = { model, fencingToken };
  if (atomicBatches) return { projection, model, limits, writer: new AtomicModelWriter(target) };
  // After each event the documents satisfy a unique index, but between two writes of a batch they may not.
  const unique = projection.collections.some(({ indexes }) => indexes.some((index) => index.unique));
  const events = unique ? 1 : Math.min(limits.events, GUARDED_BATCH_EVENTS);
  return { projection, model, limits: { ...limits, events }, writer: new GuardedModelWriter(target) };
}
