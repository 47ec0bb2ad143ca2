import { Readable } from 'node:stream';
import type { EncryptedFiles, StoredFile } from '../../../stores/file-store/encrypted-files.js';
import type { Packed } from './zip-file.js';

/** A file to be packed. */
export interface FileToPack {
  readonly entry: string;
  readonly stored: StoredFile;
}

/** The entry of a file, which is empty if the file was deleted since it was listed. */
export function fileEntry(files: EncryptedFiles, { entry, stored }: FileToPack): Packed {
  return { name: entry, open: async () => (await files.openExisting(stored, null)) ?? Readable.from([]) };
}

/** Whether a stored file and its key still exist. */
export async function canBeRead(files: EncryptedFiles, file: StoredFile): Promise<boolean> {
  const content = await files.openExisting(file, { from: 0, through: 0 });
  if (content === null) return false;
  // Read to the end, so that no file handle stays open.
  for await (const _bytes of content);
  return true;
}
