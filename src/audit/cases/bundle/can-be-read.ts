import { FileMissingError } from '../../../stores/file-store/port.js';
import type { EncryptedFiles, StoredFile } from '../../../stores/file-store/encrypted-files.js';

/** Whether a stored file is still there, and so is its key. */
export async function canBeRead(files: EncryptedFiles, file: StoredFile): Promise<boolean> {
  try {
    const content = await files.open(file, { from: 0, through: 0 });
    if (content === null) return false;
    // Read to its end, so that nothing of it stays open.
    for await (const _bytes of content);
    return true;
  } catch (error) {
    if (error instanceof FileMissingError) return false;
    throw error;
  }
}
