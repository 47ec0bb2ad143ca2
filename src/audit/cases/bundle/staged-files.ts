import { once } from 'node:events';
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { budgets } from '../../../kernel/budgets.js';
import { failure } from '../../../kernel/errors.js';
import type { Packed } from './zip-file.js';

/** Files of a folder that are written piece by piece, never held in memory as a whole. */
export class StagedFiles {
  private readonly open = new Map<string, WriteStream>();
  private bytes = 0;

  constructor(
    readonly folder: string,
    private readonly max = budgets.caseBundleMebibytes.max * 1_048_576,
    /** Code of the error when the budget is exceeded. */
    private readonly over: 'caseBundleTooLarge' | 'ownDataTooLarge' | 'exportTooLarge' = budgets
      .caseBundleMebibytes.over,
  ) {}

  /** The path of the file with this name. */
  pathOf(name: string): string {
    return join(this.folder, name.replaceAll('/', '_'));
  }

  /** A completed file, as an entry of a ZIP file. @param from its name here @param name its path in the ZIP file */
  entry(from: string, name = from): Packed {
    return { name, open: () => Promise.resolve(createReadStream(this.pathOf(from))) };
  }

  /** Appends text to a file. @throws ApplicationError with the code given to the constructor */
  async write(name: string, text: string): Promise<void> {
    this.bytes += Buffer.byteLength(text);
    if (this.bytes > this.max) throw failure(this.over);
    const stream = this.open.get(name) ?? this.begin(name);
    if (stream.errored !== null) throw stream.errored;
    if (!stream.write(text)) await once(stream, 'drain');
  }

  /** Completes a file: it can be read when this resolves. */
  async end(name: string): Promise<void> {
    const stream = this.open.get(name);
    if (stream === undefined) return;
    this.open.delete(name);
    stream.end();
    await once(stream, 'close');
    if (stream.errored !== null) throw stream.errored;
  }

  /** Closes all files, also after a failure. */
  async close(): Promise<void> {
    const streams = [...this.open.values()];
    this.open.clear();
    await Promise.all(
      streams.map((stream) => {
        const closed = once(stream, 'close');
        stream.destroy();
        return closed;
      }),
    );
  }

  private begin(name: string): WriteStream {
    const stream = createWriteStream(this.pathOf(name), { flags: 'wx', mode: 0o600 });
    // The next write reports the error.
    stream.on('error', () => undefined);
    this.open.set(name, stream);
    return stream;
  }
}
