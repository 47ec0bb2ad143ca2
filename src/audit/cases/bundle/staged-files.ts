import { once } from 'node:events';
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { budgets } from '../../../kernel/budgets.js';
import { failure } from '../../../kernel/errors.js';
import type { Packed } from './zip-file.js';

/** Files of a folder that are written piece by piece, and never in memory as a whole. */
export class StagedFiles {
  private readonly open = new Map<string, WriteStream>();
  private bytes = 0;

  constructor(
    readonly folder: string,
    private readonly max = budgets.caseBundleMebibytes.max * 1_048_576,
    /** What more is refused with. */
    private readonly over: 'caseBundleTooLarge' | 'ownDataTooLarge' | 'exportTooLarge' = budgets
      .caseBundleMebibytes.over,
  ) {}

  /** Where a file lies that has this name in the bundle. */
  pathOf(name: string): string {
    return join(this.folder, name.replaceAll('/', '_'));
  }

  /** A file that was ended, as an entry of a ZIP file. @param from its name here @param name its path there */
  entry(from: string, name = from): Packed {
    return { name, open: () => Promise.resolve(createReadStream(this.pathOf(from))) };
  }

  /** Adds text to the end of a file. @throws ApplicationError `caseBundleTooLarge`, or what else it is to be refused with */
  async write(name: string, text: string): Promise<void> {
    this.bytes += Buffer.byteLength(text);
    if (this.bytes > this.max) throw failure(this.over);
    const stream = this.open.get(name) ?? this.begin(name);
    if (stream.errored !== null) throw stream.errored;
    if (!stream.write(text)) await once(stream, 'drain');
  }

  /** Ends a file: it can be read when this resolves. */
  async end(name: string): Promise<void> {
    const stream = this.open.get(name);
    if (stream === undefined) return;
    this.open.delete(name);
    stream.end();
    await once(stream, 'close');
    if (stream.errored !== null) throw stream.errored;
  }

  /** Ends all of them, also after a failure. */
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
    // It is told where the next piece is written.
    stream.on('error', () => undefined);
    this.open.set(name, stream);
    return stream;
  }
}
