import { verify } from 'node:crypto';
import type { z } from 'zod';
import { canonicalJson } from '../../stores/event-store/canonical-json.js';
import type { LogSealed } from '../../events/audit.js';
import { readPublicKey } from './signing-key.js';

type Seal = z.infer<(typeof LogSealed)['schema']>;

/** What a seal says beside its signature. */
export type SealedFacts = Omit<Seal, 'signature'>;

/** What the signature of a seal is over. */
export function sealInput({ size, root, peaks, last }: SealedFacts): Buffer {
  return Buffer.from(`palimpsest seal\n${canonicalJson({ size, root, peaks, last })}`);
}

/** Whether a seal was signed by the key that it carries. One that carries none was not. */
export function isSealSigned({ signature, ...said }: Seal): boolean {
  if (signature === null) return false;
  try {
    const value = Buffer.from(signature.value, 'base64');
    return verify(null, sealInput(said), readPublicKey(signature.publicKey), value);
  } catch {
    // A key that makes no sense has signed nothing.
    return false;
  }
}
