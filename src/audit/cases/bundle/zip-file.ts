import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { ManifestEntry } from './format.js';

/** An entry to be packed; its content is opened when its turn comes. */
export interface Packed {
  readonly name: string;
  readonly open: () => Promise<Readable>;
}

/** Makes an entry from a text. */
export function textEntry(name: string, text: string): Packed {
  return { name, open: () => Promise.resolve(Readable.from([Buffer.from(text)])) };
}

/** What to pack, and where to write it. */
interface ZipInput {
  /** Path of a file that does not exist yet. */
  readonly file: string;
  readonly entries: readonly Packed[];
  /** Returns the entry that is packed last, made from those before it. */
  readonly last: (entries: readonly ManifestEntry[]) => Packed;
  readonly signal: AbortSignal;
  /** Called before each entry, with the number of entries already packed. */
  readonly onEntry: (packed: number) => void;
  /** Called with the number of bytes; an error thrown by it ends the packing. */
  readonly onBytes: (bytes: number) => void;
}

/**
 * Packs a ZIP file, one entry after another, with only a piece of each in memory.
 *
 * @returns its size in bytes, and its SHA-256 digest in hexadecimal
 */
export async function writeZip(
  input: ZipInput,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const zip = new ZipFile();
  const done: ManifestEntry[] = [];
  const failed = new AbortController();
  const add = ({ name, open }: Packed): void => {
    zip.addReadStreamLazy(name, {}, (callback) => {
      open().then(
        (content) => callback(null, measured(content, name, done)),
        (error: unknown) => failed.abort(error),
      );
    });
  };
  input.entries.forEach(({ name, open }, index) => {
    add({ name, open: () => (input.onEntry(index), open()) });
  });
  add({ name: input.last([]).name, open: () => input.last(done).open() });
  zip.on('error', (error) => failed.abort(error));
  zip.end();
  const whole = new Measured(input.onBytes);
  try {
    await pipeline(
      zip.outputStream as Readable,
      whole,
      createWriteStream(input.file, { flags: 'wx', mode: 0o600 }),
      { signal: AbortSignal.any([input.signal, failed.signal]) },
    );
  } catch (error) {
    throw failed.signal.aborted ? failed.signal.reason : error;
  }
  return { bytes: whole.bytes, sha256: whole.digest() };
}

function measured(content: Readable, name: string, done: ManifestEntry[]): Readable {
  const measure = new Measured(() => {});
  measure.once('end', () => done.push({ name, bytes: measure.bytes, sha256: measure.digest() }));
  content.once('error', (error) => measure.destroy(error));
  return content.pipe(measure);
}

/** Counts and hashes the bytes that pass through. */
class Measured extends Transform {
  bytes = 0;
  private readonly hash = createHash('sha256');
  private hex: string | null = null;

  constructor(private readonly onBytes: (bytes: number) => void) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: string, callback: TransformCallback): void {
    this.bytes += chunk.length;
    this.hash.update(chunk);
    try {
      this.onBytes(this.bytes);
      callback(null, chunk);
    } catch (error) {
      callback(error as Error);
    }
  }

  digest(): string {
    this.hex ??= this.hash.digest('hex');
    return this.hex;
  }
}
