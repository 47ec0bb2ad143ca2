import type { z } from 'zod';
import type { PersistedEvent } from '../../stores/event-store/port.js';
import type { JsonObject } from '../../kernel/json.js';
import { LogSealed, SEALS_STREAM } from '../../events/audit.js';
import { MerkleFrontier } from '../../stores/event-store/merkle/frontier.js';
import { leafOf } from '../../stores/event-store/merkle/hashing.js';
import { isSealSigned } from '../sealing/signed-tree-head.js';
import { fingerprint } from '../sealing/signing-key.js';
import type { Finding, KnownTreeHead } from './report.js';
import { placeOf } from './stream-order.js';

interface PendingLeaf {
  readonly leaf: Buffer;
  readonly position: number;
  readonly place: string;
}

/**
 * Checks that each seal covers exactly what precedes it. After a wrong seal it continues from what that seal says, so
 * each seal is checked for the range since the one before it, and a fault is located between two seals.
 */
export class SealChain {
  /** The tree up to the last seal. */
  private sealedTree = MerkleFrontier.empty();
  /** The leaves since the last seal. */
  private pending: PendingLeaf[] = [];
  /** The tree of all events as they are. */
  private readonly tree = MerkleFrontier.empty();
  private readonly knownTreeHeads: Map<number, readonly KnownTreeHead[]>;
  private readonly signers = new Set<string>();
  private sealedUntil = 'the beginning';
  seals = 0;
  sealed = 0;

  /** @param knownTreeHeads what the log is compared with, beside its own seals */
  constructor(knownTreeHeads: readonly KnownTreeHead[]) {
    const sizes = new Set(knownTreeHeads.map(({ size }) => size));
    this.knownTreeHeads = new Map(
      [...sizes].map((size) => [size, knownTreeHeads.filter((one) => one.size === size)]),
    );
  }

  /** Fingerprints of the keys that signed seals. */
  get sealSigners(): readonly string[] {
    return [...this.signers];
  }

  get size(): number {
    return this.tree.size;
  }

  root(): string {
    return this.tree.root().toString('hex');
  }

  /** Returns what is wrong according to the next event. */
  take(event: PersistedEvent): readonly Finding[] {
    const findings = event.stream === SEALS_STREAM ? this.check(event) : [];
    const leaf = leafOf(event);
    this.pending.push({ leaf, position: event.position, place: placeOf(event) });
    this.tree.append(leaf);
    for (const treeHead of this.knownTreeHeads.get(this.tree.size) ?? []) {
      if (treeHead.root !== this.root()) findings.push(otherTree(treeHead, event));
    }
    return findings;
  }

  /** Returns what is wrong according to the end of the log. */
  end(): readonly Finding[] {
    return [...this.knownTreeHeads.values()]
      .flat()
      .filter(({ size }) => size > this.tree.size)
      .map(({ size, by }) => ({
        kind: by ?? 'statement',
        position: null,
        place: null,
        message: `${sourceOf(by)} vouches for ${size} events, and the log holds ${this.tree.size}: its end was removed`,
      }));
  }

  private check(event: PersistedEvent): Finding[] {
    const { success, data: seal } = LogSealed.schema.safeParse(currentData(event));
    if (!success) return [];
    this.seals += 1;
    const signature = this.signatureFault(event, seal);
    const covered = this.sealedTree;
    const last = this.pending.findIndex(({ place }) => place === placeOf(seal.last));
    // If the last sealed event is gone, all others of the range are taken: one fewer than were sealed.
    const count = last === -1 ? Math.max(0, seal.size - covered.size - 1) : last + 1;
    for (const { leaf } of this.pending.slice(0, count)) covered.append(leaf);
    const from = this.sealedUntil;
    this.pending = this.pending.slice(count);
    this.sealedUntil = placeOf(seal.last);
    const isWhole = covered.size === seal.size && covered.root().toString('hex') === seal.root;
    if (isWhole) this.sealed = seal.size;
    else this.sealedTree = sealedTreeOf(seal, covered);
    if (isWhole) return signature;
    const broken = { from, to: this.sealedUntil, sealed: seal.size, found: covered.size };
    return [...signature, brokenSeal(event, broken)];
  }

  /** Seals of earlier versions and in tests are unsigned. */
  private signatureFault(event: PersistedEvent, seal: SealData): Finding[] {
    const { signature } = seal;
    if (signature === null) return [];
    if (isSealSigned(seal)) {
      this.signers.add(fingerprint(signature.publicKey));
      return [];
    }
    const message = 'it was not signed by the key that it carries';
    return [{ kind: 'seal', position: event.position, place: placeOf(event), message }];
  }
}

type SealData = z.infer<(typeof LogSealed)['schema']>;

/** Seals of the first version have no signature field. */
function currentData({ data, metadata }: PersistedEvent): JsonObject {
  return metadata['schemaVersion'] === 1 ? LogSealed.upcasts[1]!(data) : data;
}

function sourceOf(by: KnownTreeHead['by']): string {
  return by === 'record' ? 'the record beside the log' : 'the statement';
}

function otherTree({ size, by }: KnownTreeHead, event: PersistedEvent): Finding {
  const message =
    by === 'record'
      ? `the first ${size} events are not those that this server wrote: since the last good seal, events were changed, removed, inserted, repeated or put in another order`
      : `the first ${size} events are not those that the statement vouches for`;
  return { kind: by ?? 'statement', position: event.position, place: placeOf(event), message };
}

/** The tree that a seal describes; the tree that was found, if the seal contradicts itself. */
function sealedTreeOf(
  seal: { readonly size: number; readonly peaks: readonly string[] },
  found: MerkleFrontier,
): MerkleFrontier {
  try {
    return MerkleFrontier.of(
      seal.size,
      seal.peaks.map((peak) => Buffer.from(peak, 'hex')),
    );
  } catch {
    return found;
  }
}

interface BrokenSeal {
  readonly from: string;
  readonly to: string;
  readonly sealed: number;
  readonly found: number;
}

function brokenSeal(event: PersistedEvent, { from, to, sealed, found }: BrokenSeal): Finding {
  const count =
    sealed === found ? 'in number they agree' : `it sealed ${sealed} events, and ${found} are there`;
  const message = `it does not seal what is there: between ${from} and ${to}, events were changed, removed, inserted or reordered (${count})`;
  return { kind: 'seal', position: event.position, place: placeOf(event), message };
}
