import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { EventStore, PersistedEvent } from '../../../stores/event-store/port.js';
import { leafOf } from '../../../stores/event-store/merkle/hashing.js';
import { MerkleLeaves } from '../../../stores/event-store/merkle/leaves.js';
import { inclusionOf } from '../../sealing/make-proof-bundle.js';
import type { Claim } from '../../sealing/signed-tree-head.js';
import { names } from './format.js';
import type { StagedFiles } from './staged-files.js';

/** The tree head of the log that the proofs of a bundle refer to. */
type BundledLog = Pick<Claim, 'size' | 'root' | 'last'>;

/** Which events to prove, and where the log ends for the proofs. */
interface ProofStageInput {
  readonly staged: StagedFiles;
  /** Positions of the events to prove. */
  readonly wanted: ReadonlySet<number>;
  readonly through: number;
  /** Called with the position up to which the log was read; the work waits for the returned promise. */
  readonly onProgress: (position: number) => Promise<void> | void;
}

/** The events before their proofs are known: these depend on the end of the log. */
const UNPROVEN = 'unproven';

/**
 * Writes stored events with the proofs that they are in the log, one per line. Reads the whole log and keeps 64 bytes
 * of each event in memory, but never the events themselves.
 */
export async function stageProofs(store: EventStore, input: ProofStageInput): Promise<BundledLog> {
  const { staged, wanted, through, onProgress } = input;
  const leaves = new MerkleLeaves();
  let last: PersistedEvent | null = null;
  await staged.write(UNPROVEN, '');
  for await (const { events, position } of store.readAll({ after: null })) {
    for (const event of events) {
      if (event.position > through) break;
      if (wanted.has(event.position))
        await staged.write(UNPROVEN, `${JSON.stringify({ index: leaves.size, event })}\n`);
      leaves.append(leafOf(event));
      last = event;
    }
    await onProgress(Math.min(position, through));
    if (position >= through) break;
  }
  await staged.end(UNPROVEN);
  await staged.write(names.proofs, '');
  const lines = createInterface({ input: createReadStream(staged.pathOf(UNPROVEN)), crlfDelay: Infinity });
  for await (const line of lines) {
    const { index, event } = JSON.parse(line) as { readonly index: number; readonly event: PersistedEvent };
    await staged.write(names.proofs, `${JSON.stringify(inclusionOf(event, index, leaves))}\n`);
  }
  await staged.end(names.proofs);
  return {
    size: leaves.size,
    root: leaves.root().toString('hex'),
    last: last && { stream: last.stream, revision: last.revision, id: last.id },
  };
}
