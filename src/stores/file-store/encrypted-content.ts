import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { ByteRange } from './port.js';

/** Bytes per encrypted chunk: small enough for memory, and large compared with the tag. */
const CHUNK_BYTES = 65_536;
const TAG_BYTES = 16;
const ENCRYPTED_CHUNK_BYTES = CHUNK_BYTES + TAG_BYTES;
const ALGORITHM = 'aes-256-gcm';

/** How a file is encrypted. */
export interface ContentEncryption {
  /** A key of 32 bytes for this file only. */
  readonly key: Uint8Array;
  /** The name of the file, to which its encryption is bound. */
  readonly name: string;
}

/** A stored file cannot be decrypted: it was changed or truncated. */
export class FileDecryptionError extends Error {
  override readonly name = 'FileDecryptionError';
  constructor(readonly file: string) {
    super(`The stored file ${file} was changed after it was written`);
  }
}

/**
 * Encrypts a stream with AES-256-GCM in chunks. Each chunk has its own tag and is bound to its index, and the last one is marked as the
 * last, so chunks cannot be swapped or cut off, and any range can be decrypted alone.
 */
export async function* encryptContent(
  plain: AsyncIterable<Uint8Array>,
  encryption: ContentEncryption,
): AsyncGenerator<Buffer> {
  let waiting: Buffer = Buffer.alloc(0);
  let index = 0;
  for await (const bytes of plain) {
    waiting = waiting.length === 0 ? Buffer.from(bytes) : Buffer.concat([waiting, bytes]);
    // The remaining bytes may be the last chunk, which is only known at the end of the stream.
    while (waiting.length > CHUNK_BYTES) {
      yield encryptChunk(waiting.subarray(0, CHUNK_BYTES), { ...encryption, index, isLast: false });
      waiting = waiting.subarray(CHUNK_BYTES);
      index += 1;
    }
  }
  yield encryptChunk(waiting, { ...encryption, index, isLast: true });
}

/** The bytes of an encrypted file that contain a range of its content. */
export function encryptedRange(range: ByteRange, size: number): ByteRange {
  const first = Math.floor(range.from / CHUNK_BYTES);
  const last = Math.floor(range.through / CHUNK_BYTES);
  const end = last === lastChunk(size) ? encryptedSize(size) : (last + 1) * ENCRYPTED_CHUNK_BYTES;
  return { from: first * ENCRYPTED_CHUNK_BYTES, through: end - 1 };
}

/**
 * Decrypts the bytes of {@link encryptedRange}.
 *
 * @param size bytes of the whole content
 * @throws DecryptionError
 */
export async function* decryptContent(
  encrypted: AsyncIterable<Uint8Array>,
  { range, size, ...encryption }: ContentEncryption & { readonly range: ByteRange; readonly size: number },
): AsyncGenerator<Buffer> {
  const last = lastChunk(size);
  const through = Math.floor(range.through / CHUNK_BYTES);
  let index = Math.floor(range.from / CHUNK_BYTES);
  for await (const chunk of chunksOf(encrypted)) {
    if (index > through) break;
    const plain = decryptChunk(chunk, { ...encryption, index, isLast: index === last });
    const start = index * CHUNK_BYTES;
    yield plain.subarray(Math.max(0, range.from - start), range.through - start + 1);
    index += 1;
  }
  if (index <= through) throw new FileDecryptionError(encryption.name);
}

function lastChunk(size: number): number {
  return Math.max(0, Math.ceil(size / CHUNK_BYTES) - 1);
}

/** The size of an encrypted file's content. */
export function contentSize(encryptedBytes: number): number {
  return Math.max(0, encryptedBytes - Math.ceil(encryptedBytes / ENCRYPTED_CHUNK_BYTES) * TAG_BYTES);
}

function encryptedSize(size: number): number {
  return size + (lastChunk(size) + 1) * TAG_BYTES;
}

async function* chunksOf(encrypted: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let waiting: Buffer = Buffer.alloc(0);
  for await (const bytes of encrypted) {
    waiting = waiting.length === 0 ? Buffer.from(bytes) : Buffer.concat([waiting, bytes]);
    while (waiting.length >= ENCRYPTED_CHUNK_BYTES) {
      yield waiting.subarray(0, ENCRYPTED_CHUNK_BYTES);
      waiting = waiting.subarray(ENCRYPTED_CHUNK_BYTES);
    }
  }
  if (waiting.length > 0) yield waiting;
}

interface ChunkEncryption extends ContentEncryption {
  readonly index: number;
  readonly isLast: boolean;
}

function encryptChunk(plain: Uint8Array, encryption: ChunkEncryption): Buffer {
  const cipher = createCipheriv(ALGORITHM, encryption.key, vectorOf(encryption));
  cipher.setAAD(bindingOf(encryption));
  const encrypted = cipher.update(plain);
  cipher.final();
  return Buffer.concat([encrypted, cipher.getAuthTag()]);
}

function decryptChunk(encrypted: Buffer, encryption: ChunkEncryption): Buffer {
  try {
    const decipher = createDecipheriv(ALGORITHM, encryption.key, vectorOf(encryption), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(bindingOf(encryption));
    decipher.setAuthTag(encrypted.subarray(-TAG_BYTES));
    const plain = decipher.update(encrypted.subarray(0, -TAG_BYTES));
    decipher.final();
    return plain;
  } catch {
    throw new FileDecryptionError(encryption.name);
  }
}

/** A key encrypts one file only, so that an index is never used twice with it. */
function vectorOf({ index }: ChunkEncryption): Buffer {
  const vector = Buffer.alloc(12);
  vector.writeUInt32BE(index, 8);
  return vector;
}

function bindingOf({ name, index, isLast }: ChunkEncryption): Buffer {
  return Buffer.from(`file ${name} ${index}${isLast ? ' last' : ''}`);
}
