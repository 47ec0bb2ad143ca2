import type { PersistedEvent } from '../../event-store/port.js';
import { LogSealed, sealsStream } from '../events.js';
import { MerkleFrontier } from '../merkle/frontier.js';
import { leafOf } from '../sealing/leaf.js';
import type { Finding, Vouched } from './report.js';
import { placeOf } from './stream-order.js';

interface PendingLeaf {
  readonly leaf: Buffer;
  readonly position: number;
  readonly place: string;
}

/**
 * Watches that each seal covers exactly what precedes it. After one that does not, it goes on from what that seal says, so
 * that each seal speaks for the stretch since the one before it, and a fault is located between two of them.
 */
export class SealChain {
  /** The tree up to the last seal. */
  private sealedTree = MerkleFrontier.empty();
  /** What came since. */
  private pending: PendingLeaf[] = [];
  /** The whole tree, as it really is. */
  private readonly tree = MerkleFrontier.empty();
  private readonly vouched: Map<number, string>;
  private sealedUntil = 'the beginning';
  seals = 0;
  sealed = 0;

  /** @param vouched what the log is to be compared with, beside its own seals */
  constructor(vouched: readonly Vouched[]) {
    this.vouched = new Map(vouched.map(({ size, root }) => [size, root]));
  }

  get size(): number {
    return this.tree.size;
  }

  root(): string {
    return this.tree.root().toString('hex');
  }

  /** What the next event shows to be wrong. */
  take(event: PersistedEvent): readonly Finding[] {
    const findings = event.stream === sealsStream ? this.check(event) : [];
    const leaf = leafOf(event);
    this.pending.push({ leaf, position: event.position, place: placeOf(event) });
    this.tree.append(leaf);
    const vouched = this.vouched.get(this.tree.size);
    if (vouched !== undefined && vouched !== this.root()) {
      const message = `the first ${this.tree.size} events are not those that the statement vouches for`;
      findings.push({ kind: 'statement', position: event.position, place: placeOf(event), message });
    }
    return findings;
  }

  /** What the end of the log shows to be wrong. */
  end(): readonly Finding[] {
    return [...this.vouched.keys()]
      .filter((size) => size > this.tree.size)
      .map((size) => ({
        kind: 'statement',
        position: null,
        place: null,
        message: `the statement vouches for ${size} events, and the log holds ${this.tree.size}: its end was removed`,
      }));
  }

  private check(event: PersistedEvent): Finding[] {
    const { success, data: seal } = LogSealed.schema.safeParse(event.data);
    if (!success) return [];
    this.seals += 1;
    const covered = this.sealedTree;
    const last = this.pending.findIndex(({ place }) => place === placeOf(seal.last));
    // Where the last one is gone, those before it are as many as were sealed, but for it.
    const count = last === -1 ? Math.max(0, seal.size - covered.size - 1) : last + 1;
    for (const { leaf } of this.pending.slice(0, count)) covered.append(leaf);
    const from = this.sealedUntil;
    this.pending = this.pending.slice(count);
    this.sealedUntil = placeOf(seal.last);
    const isWhole = covered.size === seal.size && covered.root().toString('hex') === seal.root;
    if (isWhole) this.sealed = seal.size;
    else this.sealedTree = sealedTreeOf(seal, covered);
    return isWhole
      ? []
      : [brokenSeal(event, { from, to: this.sealedUntil, sealed: seal.size, found: covered.size })];
  }
}

/** What a seal says of the tree; where it contradicts itself, what was found. */
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
