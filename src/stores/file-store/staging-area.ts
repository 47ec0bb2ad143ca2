import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeFileFolder, onDisk, openingFolder } from './disk-failures.js';

/** The directory for files that are being received. Files that a crash left there are not part of any upload. */
export class StagingArea {
  private constructor(private readonly directory: string) {}

  /** Opens the directory, and removes files that an earlier process left. @throws FileFolderError */
  static async open(directory: string): Promise<StagingArea> {
    await openingFolder(directory, () => rm(directory, { recursive: true, force: true }));
    await makeFileFolder(directory);
    return new StagingArea(directory);
  }

  /**
   * Writes content to the disk, synced, and passes the file to `take`. Afterwards the file is removed in any case.
   *
   * @throws FileStoreUnavailableError when the disk fails; what the content and `take` throw
   */
  async hold(content: Readable, take: (file: string) => Promise<void>): Promise<void> {
    const file = join(this.directory, randomUUID());
    await onDisk(async () => {
      try {
        await pipeline(content, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }));
        await take(file);
      } finally {
        await rm(file, { force: true });
      }
    });
  }
}
