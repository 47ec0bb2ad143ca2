import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Where files lie while they come in: what a crash leaves there belongs to no upload. */
export class StagingArea {
  private constructor(private readonly directory: string) {}

  /** Opens the area, emptied of what an earlier process left. */
  static async open(directory: string): Promise<StagingArea> {
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return new StagingArea(directory);
  }

  /** Writes content to the disk, durably, and hands the file over; afterwards it is gone from here either way. */
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
