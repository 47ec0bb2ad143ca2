import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { ByteRange } from './port.js';

/** Bytes per encrypted chunk: small enough for memory, and large compared with the tag. */
const chunkBytes = 65_536;
const tagBytes = 16;
const sealedChunkBytes = chunkBytes + tagBytes;
const algorithm = 'aes-256-gcm';

/** How a file is encrypted. */
export interface Seal {
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
export async function* encryptContent(plain: AsyncIterable<Uint8Array>, seal: Seal): AsyncGenerator<Buffer> {
  let waiting: Buffer = Buffer.alloc(0);
  let index = 0;
  for await (const bytes of plain) {
    waiting = waiting.length === 0 ? Buffer.from(bytes) : Buffer.concat([waiting, bytes]);
    // The remaining bytes may be the last chunk, which is only known at the end of the stream.
    while (waiting.length > chunkBytes) {
      yield sealChunk(waiting.subarray(0, chunkBytes), { ...seal, index, isLast: false });
      waiting = waiting.subarray(chunkBytes);
      index += 1;
    }
  }
  yield sealChunk(waiting, { ...seal, index, isLast: true });
}

/** The bytes of an encrypted file that contain a range of its content. */
export function encryptedRange(range: ByteRange, size: number): ByteRange {
  const first = Math.floor(range.from / chunkBytes);
  const last = Math.floor(range.through / chunkBytes);
  const end = last === lastChunk(size) ? sealedSize(size) : (last + 1) * sealedChunkBytes;
  return { from: first * sealedChunkBytes, through: end - 1 };
}

/**
 * Decrypts the bytes of {@link encryptedRange}.
 *
 * @param size bytes of the whole content
 * @throws DecryptionError
 */
export async function* decryptContent(
  sealed: AsyncIterable<Uint8Array>,
  { range, size, ...seal }: Seal & { readonly range: ByteRange; readonly size: number },
): AsyncGenerator<Buffer> {
  const last = lastChunk(size);
  const through = Math.floor(range.through / chunkBytes);
  let index = Math.floor(range.from / chunkBytes);
  for await (const chunk of chunksOf(sealed)) {
    if (index > through) break;
    const plain = openChunk(chunk, { ...seal, index, isLast: index === last });
    const start = index * chunkBytes;
    yield plain.subarray(Math.max(0, range.from - start), range.through - start + 1);
    index += 1;
  }
  if (index <= through) throw new FileDecryptionError(seal.name);
}

function lastChunk(size: number): number {
  return Math.max(0, Math.ceil(size / chunkBytes) - 1);
}

/** The size of an encrypted file's content. */
export function contentSize(sealedBytes: number): number {
  return Math.max(0, sealedBytes - Math.ceil(sealedBytes / sealedChunkBytes) * tagBytes);
}

function sealedSize(size: number): number {
  return size + (lastChunk(size) + 1) * tagBytes;
}

async function* chunksOf(sealed: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let waiting: Buffer = Buffer.alloc(0);
  for await (const bytes of sealed) {
    waiting = waiting.length === 0 ? Buffer.from(bytes) : Buffer.concat([waiting, bytes]);
    while (waiting.length >= sealedChunkBytes) {
      yield waiting.subarray(0, sealedChunkBytes);
      waiting = waiting.subarray(sealedChunkBytes);
    }
  }
  if (waiting.length > 0) yield waiting;
}

interface ChunkSeal extends Seal {
  readonly index: number;
  readonly isLast: boolean;
}

function sealChunk(plain: Uint8Array, seal: ChunkSeal): Buffer {
  const cipher = createCipheriv(algorithm, seal.key, vectorOf(seal));
  cipher.setAAD(bindingOf(seal));
  const sealed = cipher.update(plain);
  cipher.final();
  return Buffer.concat([sealed, cipher.getAuthTag()]);
}

function openChunk(sealed: Buffer, seal: ChunkSeal): Buffer {
  try {
    const decipher = createDecipheriv(algorithm, seal.key, vectorOf(seal), { authTagLength: tagBytes });
    decipher.setAAD(bindingOf(seal));
    decipher.setAuthTag(sealed.subarray(-tagBytes));
    const plain = decipher.update(sealed.subarray(0, -tagBytes));
    decipher.final();
    return plain;
  } catch {
    throw new FileDecryptionError(seal.name);
  }
}

/** A key encrypts one file only, so that an index is never used twice with it. */
function vectorOf({ index }: ChunkSeal): Buffer {
  const vector = Buffer.alloc(12);
  vector.writeUInt32BE(index, 8);
  return vector;
}

function bindingOf({ name, index, isLast }: ChunkSeal): Buffer {
  return Buffer.from(`file ${name} ${index}${isLast ? ' last' : ''}`);
}
