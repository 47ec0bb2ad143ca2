import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The directory for files that are being received. Files that a crash left there are not part of any upload. */
export class StagingArea {
  private constructor(private readonly directory: string) {}

  /** Opens the directory, and removes files that an earlier process left. */
  static async open(directory: string): Promise<StagingArea> {
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return new StagingArea(directory);
  }

  /** Writes content to the disk, synced, and passes the file to `take`. Afterwards the file is removed in any case. */
  async hold(content: Readable, take: (file: string) => Promise<void>): Promise<void> {
    const file = join(this.directory, randomUUID());
    try {
      await pipeline(content, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }));
      await take(file);
    } finally {
      await rm(file, { force: true });
    }
  }
}
