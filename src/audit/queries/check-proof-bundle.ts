import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import { checkBundle, proofBundleIn, type CheckedBundle } from '../sealing/check-bundle.js';
import type { AnyProofBundle } from '../sealing/proof-bundle.js';

/** The bundles to check, as texts. */
export interface BundleToCheck {
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
