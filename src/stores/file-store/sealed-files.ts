import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Vault } from '../key-store/vault.js';
import type { ByteRange, FileStore } from './port.js';
import { openContent, sealContent, sealedRange } from './sealed-content.js';

/** A stored file: what is needed to read it. */
export interface StoredFile {
  /** Its name in the store. */
  readonly name: string;
  /** Id of its key in the key store: once that is destroyed, the file is erased. */
  readonly contentKey: string;
  /** Bytes of its content. */
  readonly size: number;
}

/** Where a new file goes. */
export interface NewFile {
  /** Its name in the store, which must be new. */
  readonly name: string;
  /** The person whose key wraps the file's; null: it belongs to the organization. */
  readonly ownerId: number | null;
}

/** Files, each encrypted under a key of its own: what people uploaded is erased like what they wrote. */
export class SealedFiles {
  constructor(
    private readonly store: FileStore,
    private readonly vault: Vault,
  ) {}

  /** Stores a stream; nothing of it is kept when it fails. */
  async put({ name, ownerId }: NewFile, content: AsyncIterable<Uint8Array>): Promise<StoredFile> {
    const contentKey = randomUUID();
    const key = await this.vault.makeFileKey(contentKey, ownerId);
    let size = 0;
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      for await (const bytes of content) {
        size += bytes.length;
        yield bytes;
      }
    };
    await this.store.put(name, Readable.from(sealContent(counted(), { key, name }), { objectMode: false }));
    return { name, contentKey, size };
  }

  /**
   * The content of a file, or a part of it that lies within; null when it was erased.
   *
   * @throws FileMissingError
   */
  async open({ name, contentKey, size }: StoredFile, range: ByteRange | null): Promise<Readable | null> {
    const key = await this.vault.fileKey(contentKey);
    if (key === null) return null;
    if (size === 0) return Readable.from([]);
    const wanted = range ?? { from: 0, through: size - 1 };
    const sealed = await this.store.read(name, sealedRange(wanted, size));
    return Readable.from(openContent(sealed, { key, name, range: wanted, size }), { objectMode: false });
  }

  /** Whether the key of a file is destroyed, so that nobody can read it any more. */
  async isErased({ contentKey }: Pick<StoredFile, 'contentKey'>): Promise<boolean> {
    return (await this.vault.fileKey(contentKey)) === null;
  }

  /** A whole file as it is stored, encrypted. Its size must not be 0. @throws FileMissingError */
  readSealed({ name, size }: Pick<StoredFile, 'name' | 'size'>): Promise<Readable> {
    return this.store.read(name, sealedRange({ from: 0, through: size - 1 }, size));
  }

  /** Stores what {@link readSealed} gave under the same name, here or elsewhere. */
  putSealed(name: string, content: Readable): Promise<void> {
    return this.store.put(name, content);
  }

  /** Doing it again changes nothing. */
  delete({ name }: Pick<StoredFile, 'name'>): Promise<void> {
    return this.store.delete(name);
  }
}
