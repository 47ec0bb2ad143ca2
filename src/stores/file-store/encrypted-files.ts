import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Vault } from '../key-store/vault.js';
import { KeyMissingError } from '../key-store/record-keys.js';
import { FileMissingError, type ByteRange, type FileStore } from './port.js';
import { decryptContent, encryptContent, encryptedRange } from './encrypted-content.js';

/** A stored file, and what is needed to read it. */
export interface StoredFile {
  /** Its name in the store. */
  readonly name: string;
  /** Id of its key in the key store: when that is destroyed, the file is erased. */
  readonly contentKey: string;
  /** Bytes of its content. */
  readonly size: number;
}

/** The name and owner of a new file. */
export interface NewFile {
  /** Its name in the store, which must be new. */
  readonly name: string;
  /** The person whose key wraps the file's key; null: the file belongs to the organization. */
  readonly ownerId: number | null;
}

/** Stores files, each encrypted under a key of its own, so that uploads can be erased like texts. */
export class EncryptedFiles {
  constructor(
    private readonly store: FileStore,
    private readonly vault: Vault,
  ) {}

  /** Stores a stream; after an error nothing of it remains. */
  async put({ name, ownerId }: NewFile, content: AsyncIterable<Uint8Array>): Promise<StoredFile> {
    const contentKey = randomUUID();
    const fileKey = await this.vault.newFileKey(contentKey, ownerId);
    let size = 0;
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      for await (const bytes of content) {
        size += bytes.length;
        yield bytes;
      }
    };
    await this.store.put(
      name,
      Readable.from(encryptContent(counted(), { key: fileKey.key, name }), { objectMode: false }),
    );
    // Only now, so that transfers that break off leave no keys.
    await fileKey.keep().catch(async (error: unknown) => {
      await this.store.delete(name);
      throw error;
    });
    return { name, contentKey, size };
  }

  /**
   * The content of a file, or a range of it; null: it was erased.
   *
   * @throws FileMissingError, KeyMissingError
   */
  async open({ name, contentKey, size }: StoredFile, range: ByteRange | null): Promise<Readable | null> {
    const key = await this.vault.fileKey(contentKey);
    if (key === null) return null;
    if (size === 0) return Readable.from([]);
    const wanted = range ?? { from: 0, through: size - 1 };
    const encrypted = await this.store.read(name, encryptedRange(wanted, size));
    const content = Readable.from(decryptContent(encrypted, { key, name, range: wanted, size }), {
      objectMode: false,
    });
    // A stream of which nobody has read anything does not close what it would have read.
    return content.once('close', () => encrypted.destroy());
  }

  /** Like {@link open}, but null also for a file that is missing, or whose key is: it was deleted meanwhile, or never came with an imported log. */
  openExisting(file: StoredFile, range: ByteRange | null): Promise<Readable | null> {
    return this.open(file, range).catch(nullWhereMissing);
  }

  /** Whether a file cannot be read because its key is destroyed or missing. */
  async isErased({ contentKey }: Pick<StoredFile, 'contentKey'>): Promise<boolean> {
    return (await this.vault.fileKey(contentKey).catch(nullWhereMissing)) === null;
  }

  /** A whole file as it is stored, encrypted. Its size must not be 0. @throws FileMissingError */
  readEncrypted({ name, size }: Pick<StoredFile, 'name' | 'size'>): Promise<Readable> {
    return this.store.read(name, encryptedRange({ from: 0, through: size - 1 }, size));
  }

  /** Stores the result of {@link readEncrypted} under the same name, in this store or another. */
  putEncrypted(name: string, content: Readable): Promise<void> {
    return this.store.put(name, content);
  }

  /** No effect if the file does not exist. */
  delete({ name }: Pick<StoredFile, 'name'>): Promise<void> {
    return this.store.delete(name);
  }
}

function nullWhereMissing(error: unknown): null {
  if (error instanceof FileMissingError || error instanceof KeyMissingError) return null;
  throw error;
}
