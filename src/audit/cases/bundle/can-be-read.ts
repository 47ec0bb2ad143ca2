import { FileMissingError } from '../../../stores/file-store/port.js';
import type { EncryptedFiles, StoredFile } from '../../../stores/file-store/encrypted-files.js';

/** Whether a stored file and its key still exist. */
export async function canBeRead(files: EncryptedFiles, file: StoredFile): Promise<boolean> {
  try {
    const content = await files.open(file, { from: 0, through: 0 });
    if (content === null) return false;
    // Read to the end, so that no file handle stays open.
    for await (const _bytes of content);
    return true;
  } catch (error) {
    if (error instanceof FileMissingError) return false;
    throw error;
  }
}
