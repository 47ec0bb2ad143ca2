import type { KeyObject } from 'node:crypto';
import type { EventStore, PersistedEvent } from '../../stores/event-store/port.js';
import { verifyEventHash } from '../../stores/event-store/event-hash.js';
import { MerkleLeaves } from '../../stores/event-store/merkle/leaves.js';
import { leafOf } from '../../stores/event-store/merkle/hashing.js';
import type { ClaimedOrganization } from '../names.js';
import type { AnyProofBundle, Consistency, Inclusion, ProofBundle } from './proof-bundle.js';
import { signClaim } from './signed-tree-head.js';
import { OperatorError } from '../../kernel/errors.js';

/** What a bundle contains in addition to the log's size and root. */
export interface ProofBundleRequest {
  readonly organization: ClaimedOrganization;
  /** ISO 8601. */
  readonly statedAt: string;
  /** An earlier bundle that this one continues; null: none. */
  readonly earlier: AnyProofBundle | null;
  /** Whether the bundle proves that this event is in the log. */
  readonly proves: (event: PersistedEvent) => boolean;
  /** Maximum number of proven events; absent: no limit. */
  readonly maxEvents?: number;
  readonly key: KeyObject;
  /**
   * Called with the position reached and the number of events read. The work waits for the returned promise; an error
   * ends it.
   */
  readonly onProgress?: (position: number, events: number) => Promise<void> | void;
}

/** The log is not the one of the earlier bundle. */
class OtherLogError extends OperatorError {
  override readonly name = 'OtherLogError';
}

/** An event that was to be proven is not as it was written, so a proof of it would have a fault. */
export class DamagedEventError extends OperatorError {
  override readonly name = 'DamagedEventError';
  constructor({ position, stream, revision, id }: PersistedEvent) {
    super(
      `The event at position ${position}, ${stream}@${revision} (${id}), is not as it was written, so it cannot be proven: "palimpsest audit verify" says what is wrong with the log`,
    );
  }
}

/** More events would be proven than are allowed. */
export class TooManyProofsError extends OperatorError {
  override readonly name = 'TooManyProofsError';
}

/**
 * Reads the whole log and signs its tree head. Keeps 32 bytes of each event in memory.
 *
 * @throws OtherLogError when an earlier bundle has another beginning
 * @throws DamagedEventError
 * @throws TooManyProofsError
 */
export async function makeProofBundle(store: EventStore, request: ProofBundleRequest): Promise<ProofBundle> {
  const leaves = new MerkleLeaves();
  const wanted: { readonly index: number; readonly event: PersistedEvent }[] = [];
  let last: PersistedEvent | null = null;
  for await (const { events, position } of store.readAll({ after: null })) {
    for (const event of events) {
      if (request.proves(event)) {
        if (!verifyEventHash(event)) throw new DamagedEventError(event);
        wanted.push({ index: leaves.size, event });
      }
      leaves.append(leafOf(event));
    }
    const { maxEvents = Infinity } = request;
    if (wanted.length > maxEvents)
      throw new TooManyProofsError(
        `More than ${maxEvents} events would be proven: "palimpsest audit seal" can`,
      );
    last = events.at(-1) ?? last;
    await request.onProgress?.(position, leaves.size);
  }
  const { organization, statedAt, key } = request;
  const claim = {
    ...organization,
    size: leaves.size,
    root: leaves.root().toString('hex'),
    last: last && { stream: last.stream, revision: last.revision, id: last.id },
    statedAt,
    places: wanted.map(({ index, event: { stream, revision } }) => ({ index, stream, revision })),
  };
  return {
    format: 'palimpsest-proof-bundle',
    version: 1,
    ...signClaim(claim, key),
    consistency: consistencyWith(request.earlier, leaves),
    inclusions: wanted.map(({ index, event }) => inclusionOf(event, index, leaves)),
  };
}

function consistencyWith(earlier: AnyProofBundle | null, leaves: MerkleLeaves): Consistency | null {
  if (earlier === null) return null;
  const { size, root } = earlier.claim;
  if (size > leaves.size || leaves.root(size).toString('hex') !== root) {
    throw new OtherLogError(`The log does not begin with the ${size} events of the earlier proof bundle`);
  }
  return { size, root, proof: texts(leaves.consistencyProof(size)) };
}

/** Leaves out tags: they are not part of what is hashed, and only holders of the server's key can use them. */
export function inclusionOf(
  { stream, revision, id, type, data, metadata: { tag: _tag, ...metadata } }: PersistedEvent,
  index: number,
  leaves: MerkleLeaves,
): Inclusion {
  const event = { stream, revision, id, type, data, metadata };
  return { index, event, proof: texts(leaves.inclusionProof(index)) };
}

function texts(hashes: readonly Buffer[]): string[] {
  return hashes.map((bytes) => bytes.toString('hex'));
}
