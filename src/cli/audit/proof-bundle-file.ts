import { readFile } from 'node:fs/promises';
import { proofBundleSchema, type AnyProofBundle } from '../../audit/sealing/proof-bundle.js';
import { isSigned } from '../../audit/sealing/signed-tree-head.js';
import { fingerprint } from '../../audit/sealing/signing-key.js';
import { CommandFailedError } from '../command.js';

/** @throws CommandFailedError when the file holds no proof bundle */
export async function readProofBundle(file: string): Promise<AnyProofBundle> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    throw new CommandFailedError(`The proof bundle ${file} cannot be read.`);
  }
  try {
    return proofBundleSchema.parse(JSON.parse(text));
  } catch {
    throw new CommandFailedError(`${file} does not hold a proof bundle that "palimpsest audit seal" made.`);
  }
}

/** What is wrong with a bundle's signature; null: nothing. */
export function signatureFault(bundle: AnyProofBundle, signer: string | undefined): string | null {
  if (!isSigned(bundle)) return 'its signature does not fit: it was changed after it was signed';
  const found = fingerprint(bundle.publicKey);
  if (signer === undefined || signer === found) return null;
  return `it was signed by ${found}, not by ${signer}`;
}
