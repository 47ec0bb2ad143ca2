import { BackupRefusedError, piecesOf, type Manifest } from './manifest.js';
import { PieceReader } from './pieces.js';
import type { BackupPlace } from './places/place.js';

/**
 * Verifies the digest of every piece of a backup. It needs no secret key, because the digests are of the stored
 * bytes.
 *
 * @returns a sentence for each piece that is missing or damaged
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
