import { open, rm, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isAboutRoom } from '../runtime/operator-errors.js';
import { CommandFailedError } from './command.js';

/**
 * Creates a file that only its owner can read. After an error the file is removed.
 *
 * @param lines iterated once the file is open
 * @throws CommandFailedError for example when the file exists
 */
export async function writeNewFile(file: string, lines: AsyncIterable<string>): Promise<void> {
  const handle = await openNew(file);
  try {
    await pipeline(Readable.from(lines), handle.createWriteStream());
  } catch (error) {
    await rm(file, { force: true });
    throw error instanceof Error && isAboutRoom(error)
      ? new CommandFailedError(`There is no room for ${file}: make some, and try again.`)
      : error;
  }
}

async function openNew(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'wx', 0o600);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST')
      throw new CommandFailedError(`${file} is there already: name a new file.`);
    throw new CommandFailedError(`${file} cannot be written`, { cause });
  }
}
