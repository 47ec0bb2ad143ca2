import { readFile } from 'node:fs/promises';
import { proofBundleIn } from '../../audit/sealing/check-bundle.js';
import type { AnyProofBundle } from '../../audit/sealing/proof-bundle.js';
import { CommandFailedError } from '../command.js';

/** @throws CommandFailedError when the file does not contain a proof bundle */
export async function readProofBundle(file: string): Promise<AnyProofBundle> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    throw new CommandFailedError(`The proof bundle ${file} cannot be read.`);
  }
  const bundle = proofBundleIn(text);
  if (bundle !== null) return bundle;
  throw new CommandFailedError(`${file} does not hold a proof bundle that "palimpsest audit seal" made.`);
}
