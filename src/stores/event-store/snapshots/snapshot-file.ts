import { createHash, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import {
  contentSize,
  decryptContent,
  encryptContent,
  type ContentEncryption,
} from '../../file-store/encrypted-content.js';

const headerSchema = z.strictObject({
  format: z.literal('palimpsest-snapshot'),
  layout: z.literal(1),
  /** Name and version of the fold. */
  fold: z.string(),
  version: z.int(),
  stream: z.string(),
  /** The last event in the state. If the log has another event at this place, the snapshot belongs to another log. */
  last: z.strictObject({ id: z.string(), revision: z.int(), position: z.int() }),
  /** The last commands that appended to the stream, and the revisions of their first events. */
  commands: z.array(z.strictObject({ commandId: z.string(), revision: z.int() })),
  /** Milliseconds since the UNIX epoch. */
  writtenAt: z.int(),
  /** The key that encrypts the state. Each file uses a key derived from it by its salt. */
  keyId: z.string(),
  salt: z.string(),
});

/** The unencrypted header of an encrypted state. It contains nothing that people wrote. */
export type SnapshotHeader = z.infer<typeof headerSchema>;

/** The members of a header that differ between snapshots. */
type SnapshotFacts = Omit<SnapshotHeader, 'format' | 'layout' | 'salt'>;

/** A file is not a complete snapshot, or was changed after it was written. */
class SnapshotBrokenError extends Error {
  override readonly name = 'SnapshotBrokenError';
  constructor(file: string, options?: ErrorOptions) {
    super(`${file} is no whole snapshot`, options);
  }
}

/** Suffix of unfinished files. */
export const UNFINISHED = '.partial';

const MAX_HEADER_BYTES = 65_536;
const BYTES_AT_ONCE = 65_536;

/** Writes a snapshot. The file appears complete or not at all. */
export async function writeSnapshot(
  file: string,
  facts: SnapshotFacts,
  { key, lines }: { readonly key: Uint8Array; readonly lines: Iterable<string> },
): Promise<void> {
  const salt = randomBytes(32).toString('base64');
  const header = { format: 'palimpsest-snapshot', layout: 1, ...facts, salt } satisfies SnapshotHeader;
  const line = Buffer.from(`${JSON.stringify(header)}\n`);
  const partial = `${file}.${randomUUID()}${UNFINISHED}`;
  try {
    await pipeline(
      Readable.from(bytesOf(line, encryptContent(textOf(lines), encryptionOf(line, key)))),
      createWriteStream(partial, { mode: 0o600 }),
    );
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** A snapshot whose header was read. */
interface OpenedSnapshot {
  readonly header: SnapshotHeader;
  /** The lines of the state. @throws DecryptionError */
  lines(key: Uint8Array): AsyncIterable<string>;
  close(): Promise<void>;
}

/** @throws SnapshotBrokenError; the file system's error when there is no file */
export async function openSnapshot(file: string): Promise<OpenedSnapshot> {
  const handle = await open(file);
  try {
    const { header, line } = await readHeader(handle, file);
    return { header, lines: (key) => stateIn(handle, line, key), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function readHeader(
  handle: FileHandle,
  file: string,
): Promise<{ readonly header: SnapshotHeader; readonly line: Buffer }> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_HEADER_BYTES), 0, MAX_HEADER_BYTES, 0);
  const line = buffer.subarray(0, buffer.subarray(0, bytesRead).indexOf('\n') + 1);
  try {
    return { header: headerSchema.parse(JSON.parse(line.toString('utf8'))), line };
  } catch (error) {
    throw new SnapshotBrokenError(file, { cause: error });
  }
}

async function* stateIn(handle: FileHandle, line: Buffer, key: Uint8Array): AsyncGenerator<string> {
  const size = contentSize((await handle.stat()).size - line.length);
  const encrypted = handle.createReadStream({
    start: line.length,
    autoClose: false,
    highWaterMark: 4 * BYTES_AT_ONCE,
  });
  const range = { from: 0, through: Math.max(0, size - 1) };
  yield* linesOf(decryptContent(encrypted, { ...encryptionOf(line, key), range, size }));
}

/** All headers differ, and the encryption of a state is bound to its header. */
function encryptionOf(header: Buffer, key: Uint8Array): ContentEncryption {
  return {
    key: new Uint8Array(hkdfSync('sha256', key, header, 'palimpsest snapshot', 32)),
    name: createHash('sha256').update(header).digest('hex'),
  };
}

async function* bytesOf(header: Buffer, encrypted: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield header;
  yield* encrypted;
}

async function* textOf(lines: Iterable<string>): AsyncGenerator<Buffer> {
  for (const line of lines) yield Buffer.from(`${line}\n`);
}

async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let begun: Buffer[] = [];
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...begun, chunk.subarray(start, end)]).toString('utf8');
      begun = [];
      start = end + 1;
    }
    begun.push(chunk.subarray(start));
  }
}
