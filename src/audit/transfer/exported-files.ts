import { createHash, type Hash } from 'node:crypto';
import { PassThrough, type Readable } from 'node:stream';
import { once } from 'node:events';
import { FileMissingError } from '../../stores/file-store/port.js';
import type { EncryptedFiles } from '../../stores/file-store/encrypted-files.js';
import type { JsonObject } from '../../kernel/json.js';
import type { ExportedFile } from './format.js';

/** Bytes of a file per line. */
const PART_BYTES = 192 * 1024;

/** A file that an event names: an upload, an avatar, or the image of a custom emoji. */
interface NamedFile {
  readonly name: string;
  readonly contentKey: string;
  readonly size: number;
}

/** The file that an event added to the file store; null: none. The fields that name it are never encrypted. */
export function fileOf({ data }: { readonly data: JsonObject }): NamedFile | null {
  const { storageName: name, contentKey, size } = data;
  if (typeof name !== 'string' || typeof contentKey !== 'string' || typeof size !== 'number') return null;
  return { name, contentKey, size };
}

/**
 * Yields a file as lines of an export, encrypted as it is stored: its parts in order, then an empty part with the
 * digest of all.
 *
 * @returns no lines for a file that is empty or does not exist any more: deleted, or erased with the person who
 * uploaded it
 */
export async function* exportedFile(files: EncryptedFiles, file: NamedFile): AsyncGenerator<ExportedFile> {
  if (file.size === 0) return;
  let content: Readable;
  try {
    content = await files.readEncrypted(file);
  } catch (error) {
    if (error instanceof FileMissingError) return;
    throw error;
  }
  const digest = createHash('sha256');
  for await (const part of partsOf(content)) {
    digest.update(part);
    yield { name: file.name, part: part.toString('base64'), sha256: null };
  }
  yield { name: file.name, part: '', sha256: digest.digest('hex') };
}

async function* partsOf(content: Readable): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    waiting.push(chunk);
    size += chunk.length;
    if (size < PART_BYTES) continue;
    yield Buffer.concat(waiting);
    [waiting, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(waiting);
}

/** Checks that each file of an export is complete and unchanged. */
export class CheckedFiles {
  private current: { readonly name: string; readonly digest: Hash } | null = null;

  /** @returns what is wrong; null: nothing */
  take({ name, part, sha256 }: ExportedFile): string | null {
    if (this.current !== null && this.current.name !== name)
      return `the file ${this.current.name} has no end`;
    const { digest } = (this.current ??= { name, digest: createHash('sha256') });
    digest.update(Buffer.from(part, 'base64'));
    if (sha256 === null) return null;
    this.current = null;
    return digest.digest('hex') === sha256 ? null : `the file ${name} is not as it was exported`;
  }

  /** Must be called for every other line: returns what is wrong; null: nothing. */
  rest(): string | null {
    return this.current === null ? null : `the file ${this.current.name} has no end`;
  }
}

/**
 * Writes the files of an export to the file store, part by part. A file that already exists is replaced by the same
 * content.
 */
export class ArrivingFiles {
  private current: { readonly content: PassThrough; readonly stored: Promise<void> } | null = null;
  count = 0;

  constructor(private readonly files: EncryptedFiles) {}

  async take({ name, part, sha256 }: ExportedFile): Promise<void> {
    const { content, stored } = (this.current ??= this.begin(name));
    if (!content.write(Buffer.from(part, 'base64'))) await Promise.race([once(content, 'drain'), stored]);
    if (sha256 === null) return;
    content.end();
    await stored;
    this.current = null;
    this.count += 1;
  }

  private begin(name: string): NonNullable<ArrivingFiles['current']> {
    const content = new PassThrough();
    const stored = this.files.putEncrypted(name, content);
    // The error is reported by `take`.
    stored.catch(() => undefined);
    return { content, stored };
  }
}
