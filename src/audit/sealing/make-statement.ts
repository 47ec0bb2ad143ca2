import type { KeyObject } from 'node:crypto';
import type { EventStore, PersistedEvent } from '../../event-store/port.js';
import { MerkleLeaves } from '../merkle/leaves.js';
import { leafOf } from './leaf.js';
import { state, type Inclusion, type Statement } from './statement.js';
import { OperatorError } from '../../kernel/operator-error.js';

/** What a statement is to say beside the log's size and root. */
export interface StatementRequest {
  readonly organization: string;
  /** ISO 8601. */
  readonly statedAt: string;
  /** A statement made before, which this one is to continue; null: none. */
  readonly earlier: Statement | null;
  /** Which events it is to prove to be in the log. */
  readonly proves: (event: PersistedEvent) => boolean;
  readonly key: KeyObject;
  readonly onProgress?: (position: number) => void;
}

/** The log is not the one that the earlier statement is about. */
export class OtherLogError extends OperatorError {
  override readonly name = 'OtherLogError';
}

/**
 * Reads the whole log and signs what it is. Keeps 32 bytes of each event in memory.
 *
 * @throws OtherLogError when an earlier statement vouches for another beginning
 */
export async function makeStatement(store: EventStore, request: StatementRequest): Promise<Statement> {
  const leaves = new MerkleLeaves();
  const wanted: { readonly index: number; readonly event: PersistedEvent }[] = [];
  let last: PersistedEvent | null = null;
  for await (const { events, position } of store.readAll({ after: null })) {
    for (const event of events) {
      if (request.proves(event)) wanted.push({ index: leaves.size, event });
      leaves.append(leafOf(event));
    }
    last = events.at(-1) ?? last;
    request.onProgress?.(position);
  }
  const { organization, statedAt, key } = request;
  const claim = {
    organization,
    size: leaves.size,
    root: leaves.root().toString('hex'),
    last: last && { stream: last.stream, revision: last.revision, id: last.id },
    statedAt,
  };
  const inclusions = wanted.map(({ index, event }) => inclusionOf(event, index, leaves));
  return state(claim, { consistency: consistencyWith(request.earlier, leaves), inclusions }, key);
}

function consistencyWith(earlier: Statement | null, leaves: MerkleLeaves): Statement['consistency'] {
  if (earlier === null) return null;
  const { size, root } = earlier.claim;
  if (size > leaves.size || leaves.root(size).toString('hex') !== root) {
    throw new OtherLogError(`The log does not begin with the ${size} events of the earlier statement`);
  }
  return { size, root, proof: texts(leaves.consistencyProof(size)) };
}

function inclusionOf(
  { stream, revision, id, type, metadata }: PersistedEvent,
  index: number,
  leaves: MerkleLeaves,
): Inclusion {
  const event = { stream, revision, id, type, hash: metadata['hash'] as string };
  return { index, event, proof: texts(leaves.inclusionProof(index)) };
}

function texts(hashes: readonly Buffer[]): string[] {
  return hashes.map((bytes) => bytes.toString('hex'));
}
