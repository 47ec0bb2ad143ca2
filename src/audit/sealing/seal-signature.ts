import { verify } from 'node:crypto';
import type { z } from 'zod';
import { canonicalJson } from '../../stores/event-store/canonical-json.js';
import type { LogSealed } from '../../events/audit.js';
import { readPublicKey } from './signing-key.js';

type Seal = z.infer<(typeof LogSealed)['schema']>;

/** The fields of a seal without its signature. */
export type SealedFacts = Omit<Seal, 'signature'>;

/** The bytes that the signature of a seal covers. */
export function sealInput({ size, root, peaks, last }: SealedFacts): Buffer {
  return Buffer.from(`palimpsest seal\n${canonicalJson({ size, root, peaks, last })}`);
}

/** Whether a seal was signed by the key that it contains. False for an unsigned seal. */
export function isSealSigned({ signature, ...said }: Seal): boolean {
  if (signature === null) return false;
  try {
    const value = Buffer.from(signature.value, 'base64');
    return verify(null, sealInput(said), readPublicKey(signature.publicKey), value);
  } catch {
    // The key is invalid.
    return false;
  }
}
