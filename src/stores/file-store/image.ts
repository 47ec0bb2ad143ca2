import { randomBytes } from 'node:crypto';
import { organizationNumber } from '../../kernel/api-constants.js';
import { isRefusal } from '../../kernel/errors.js';
import type { NewFile, SealedFiles, StoredFile } from './sealed-files.js';

/** A stored image, and the last segment of the address that it is served at. */
export interface StoredImage {
  readonly stored: StoredFile;
  readonly fileName: string;
}

/** An image that is to be stored. */
export interface NewImage {
  readonly bytes: Buffer;
  /** Without the dot. */
  readonly extension: string;
  readonly kind: 'emoji' | 'avatar' | 'realm';
  readonly ownerId: NewFile['ownerId'];
}

/** Stores an image under a name that nobody guesses, for a command that takes it; when that is refused, it is gone again. */
export async function storeImage(
  files: SealedFiles,
  { bytes, extension, kind, ownerId }: NewImage,
  take: (image: StoredImage) => Promise<void>,
): Promise<void> {
  const random = randomBytes(16).toString('hex');
  const stored = await files.put({ name: `${organizationNumber}/${kind}/${random}`, ownerId }, chunks(bytes));
  try {
    await take({ stored, fileName: `${random}.${extension}` });
  } catch (error) {
    if (isRefusal(error)) await files.delete(stored);
    throw error;
  }
}

/** Bytes at hand, as a file is given to the store. */
export async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
