import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { syncToDisk } from '../../../runtime/data-directory.js';
import { onDisk } from '../disk-failures.js';
import { FileMissingError, type ByteRange, type FileStore } from '../port.js';
import { StagingArea } from '../staging-area.js';

/** Opens a file store in a directory of this machine, or of a volume that all nodes have mounted. */
export async function openDirectoryFileStore(options: {
  readonly directory: string;
  /** On the same volume as the directory. */
  readonly stagingDirectory: string;
}): Promise<FileStore> {
  const { directory, stagingDirectory } = options;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return new DirectoryFileStore(directory, await StagingArea.open(stagingDirectory));
}

class DirectoryFileStore implements FileStore {
  constructor(
    private readonly directory: string,
    private readonly staging: StagingArea,
  ) {}

  async put(name: string, content: Readable): Promise<void> {
    const place = this.placeOf(name);
    await this.staging.hold(content, async (file) => {
      await mkdir(dirname(place), { recursive: true, mode: 0o700 });
      await rename(file, place);
      // A file's name is durable once its directory is synced.
      await syncToDisk(dirname(place));
    });
  }

  async read(name: string, { from, through }: ByteRange): Promise<Readable> {
    return onDisk(async () => {
      try {
        const handle = await open(this.placeOf(name), 'r');
        return createReadStream('', { fd: handle, start: from, end: through });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new FileMissingError(name);
        throw error;
      }
    });
  }

  async delete(name: string): Promise<void> {
    await onDisk(() => rm(this.placeOf(name), { force: true }));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private placeOf(name: string): string {
    return join(this.directory, ...name.split('/'));
  }
}
