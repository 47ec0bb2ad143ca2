import { randomBytes } from 'node:crypto';
import { ORGANIZATION_NUMBER } from '../../kernel/api-constants.js';
import { isRefusal } from '../../kernel/errors.js';
import type { NewFile, EncryptedFiles, StoredFile } from './encrypted-files.js';

/** A stored image, and the last segment of its address. */
export interface StoredImage {
  readonly stored: StoredFile;
  readonly fileName: string;
}

/** An image to be stored. */
interface NewImage {
  readonly bytes: Buffer;
  /** Without the dot. */
  readonly extension: string;
  readonly kind: 'emoji' | 'avatar' | 'realm';
  readonly ownerId: NewFile['ownerId'];
}

/** Stores an image under a random name and runs a command that refers to it. If the command is refused, the image is deleted. */
export async function storeImage(
  files: EncryptedFiles,
  { bytes, extension, kind, ownerId }: NewImage,
  take: (image: StoredImage) => Promise<void>,
): Promise<void> {
  const random = randomBytes(16).toString('hex');
  const stored = await files.put(
    { name: `${ORGANIZATION_NUMBER}/${kind}/${random}`, ownerId },
    chunks(bytes),
  );
  try {
    await take({ stored, fileName: `${random}.${extension}` });
  } catch (error) {
    if (isRefusal(error)) await files.delete(stored);
    throw error;
  }
}

/** Streams bytes that are in memory. */
export async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
