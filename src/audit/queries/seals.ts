import type { IQueryHandler } from '@nestjs/cqrs';
import { LogSealed } from '../../events/audit.js';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import { isEvent } from '../../kernel/event.js';
import { Query, QueryHandler } from '../../runtime/nest-decorators.js';
import { EventLog } from '../../stores/event-store/event-log.js';
import { decodeReadable, isReadable } from '../../stores/event-store/readable-events.js';
import { storedSeals } from '../../stores/event-store/seals.js';
import { checkBundle, proofBundleIn, type CheckedBundle } from '../sealing/check-bundle.js';
import type { AnyProofBundle } from '../sealing/proof-bundle.js';
import { isSealSigned } from '../sealing/signed-tree-head.js';
import { fingerprint } from '../sealing/signing-key.js';

/** Which seals to list, newest first. */
interface SealsPage {
  /** Only seals with a smaller number; null: from the newest on. */
  readonly before: number | null;
  readonly limit: number;
}

/** A seal as the API shows it. */
interface DescribedSeal {
  /** Seals are numbered from 0, in the order in which they were made. */
  readonly number: number;
  readonly position: number;
  /** When it was made, in milliseconds since the UNIX epoch. */
  readonly at: number;
  /** How many events it covers, counted from the first one. Null: the seal cannot be read. */
  readonly size: number | null;
  readonly root: string | null;
  /** The last event that it covers, `<stream>@<revision>`. */
  readonly last: string | null;
  /** Fingerprint of the key that signed it; null: it is unsigned, or its signature is invalid. */
  readonly signer: string | null;
}

/** Seals, the newest first. */
interface DescribedSeals {
  readonly seals: readonly DescribedSeal[];
  /** The number before which the next page starts; null: there are no more. */
  readonly before: number | null;
}

/** Lists the seals of the log. The caller checks the permission and records the access. */
export class GetSeals extends Query<DescribedSeals> {
  constructor(
    readonly caller: Caller,
    readonly page: SealsPage,
  ) {
    super();
  }
}

@QueryHandler(GetSeals)
export class GetSealsHandler implements IQueryHandler<GetSeals> {
  constructor(private readonly log: EventLog) {}

  async execute({ page }: GetSeals): Promise<DescribedSeals> {
    const stored = await storedSeals(this.log.store, page);
    const events = await decodeReadable(this.log, stored);
    const last = stored.at(-1);
    const seals = events.map((event, index): DescribedSeal => {
      const { revision: number, position, metadata } = stored[index]!;
      const place = { number, position, at: Number(metadata['at'] ?? 0) };
      if (!isReadable(event) || !isEvent(event, LogSealed))
        return { ...place, size: null, root: null, last: null, signer: null };
      const { size, root, last: covered, signature } = event.data;
      const signer =
        signature === null || !isSealSigned(event.data) ? null : fingerprint(signature.publicKey);
      return { ...place, size, root, last: `${covered.stream}@${covered.revision}`, signer };
    });
    return { seals, before: last === undefined || last.revision === 0 ? null : last.revision };
  }
}

/** The bundles to check, as texts. */
interface BundleToCheck {
  readonly bundle: string;
  /** An earlier bundle whose log must be the beginning of this one's; null: none. */
  readonly earlier: string | null;
  /** Fingerprint of the key that must have signed both; null: unknown. */
  readonly signer: string | null;
}

/** Checks a proof bundle without the log, as `palimpsest audit check` does. */
export class CheckProofBundle extends Query<CheckedBundle> {
  constructor(
    readonly caller: Caller,
    readonly toCheck: BundleToCheck,
  ) {
    super();
  }
}

@QueryHandler(CheckProofBundle)
export class CheckProofBundleHandler implements IQueryHandler<CheckProofBundle> {
  /** @throws ApplicationError `invalidProofBundle` */
  execute({ toCheck: { bundle, earlier, signer } }: CheckProofBundle): Promise<CheckedBundle> {
    const checked = checkBundle(parsed('bundle', bundle), {
      earlier: earlier === null ? null : parsed('earlier', earlier),
      signer: signer ?? undefined,
    });
    return Promise.resolve(checked);
  }
}

function parsed(name: string, text: string): AnyProofBundle {
  const bundle = proofBundleIn(text);
  if (bundle === null) throw failure('invalidProofBundle', { reason: name });
  return bundle;
}
