import { constants } from 'node:fs';
import { access, lstat, open, rm, type FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDiskFull } from '../runtime/operator-errors.js';
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
    throw error instanceof Error && isDiskFull(error)
      ? new CommandFailedError(`There is no room for ${file}: make some, and try again.`)
      : error;
  }
}

/**
 * Checks that a file can be created, before the work for it begins. It is not created.
 *
 * @throws CommandFailedError when it exists, or when its folder is missing or may not be written to
 */
export async function requireNewFile(file: string): Promise<void> {
  try {
    if ((await lstat(file).catch(nullIfMissing)) !== null) throw alreadyThere(file);
    await access(dirname(resolve(file)), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw error instanceof CommandFailedError ? error : unwritable(file, error);
  }
}

/** The refusal of a file that exists. */
export function alreadyThere(file: string): CommandFailedError {
  return new CommandFailedError(`${file} is there already: name a new file.`);
}

/** The refusal of a file that cannot be created. */
export function unwritable(file: string, cause: unknown): CommandFailedError {
  return new CommandFailedError(`${file} cannot be written`, { cause });
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

async function openNew(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'wx', 0o600);
  } catch (cause) {
    throw (cause as NodeJS.ErrnoException).code === 'EEXIST' ? alreadyThere(file) : unwritable(file, cause);
  }
}
