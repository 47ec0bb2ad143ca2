import { BackupRefusedError, piecesOf, type Manifest } from './manifest.js';
import { PieceReader } from './pieces.js';
import type { BackupPlace } from './places/place.js';

/**
 * Reads every piece of a backup and compares it with what was written. No secret key is needed: digests are of what is stored.
 *
 * @returns a sentence for each that is missing or damaged
 */
export async function verifyBackup(
  place: BackupPlace,
  manifest: Manifest,
  onProgress: (pieces: number) => void,
): Promise<readonly string[]> {
  const reader = new PieceReader(place, []);
  const faults: string[] = [];
  let read = 0;
  for (const piece of piecesOf(manifest)) {
    try {
      await reader.check(piece);
    } catch (error) {
      if (!(error instanceof BackupRefusedError)) throw error;
      faults.push(error.message);
    }
    onProgress((read += 1));
  }
  return faults;
}
