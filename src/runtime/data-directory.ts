import { open } from 'node:fs/promises';
import { accessSync, constants, mkdirSync, statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { OperatorError } from '../kernel/errors.js';

/** The data directory cannot be created, or cannot be written to. */
class DataDirectoryError extends OperatorError {
  override readonly name = 'DataDirectoryError';
  constructor(directory: string, reason: string) {
    super(`DATA_DIR ${directory} cannot be used: ${reason}`);
  }
}

/**
 * Creates a data directory and its parents where they are missing.
 *
 * @throws DataDirectoryError when the path is a file, or when the directory cannot be created or written to
 */
export function makeDataDirectory(directory: string): void {
  try {
    make(directory);
    accessSync(directory, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new DataDirectoryError(directory, reasonOf(error as NodeJS.ErrnoException));
  }
}

/** Creates one directory after the other, because Node's recursive option loops forever below /proc. */
function make(directory: string): void {
  const found = statOf(directory);
  if (found?.isDirectory()) return;
  if (found !== undefined) throw Object.assign(new Error(), { code: 'ENOTDIR', path: directory });
  if (dirname(directory) !== directory) make(dirname(directory));
  mkdirSync(directory, { mode: 0o700 });
}

/** Undefined when nothing exists there, also when a parent is a file. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function reasonOf({ code, path, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'ENOTDIR':
    case 'EEXIST':
      return `${path ?? 'it'} is a file and not a folder; name another folder`;
    case 'EACCES':
    case 'EPERM':
      return 'the server’s user may not write there; give it the folder, or name another';
    case 'EROFS':
      return 'its file system can only be read; name another folder';
    case 'ENOENT':
      return 'no folder can be made there; name another';
    default:
      return message;
  }
}

/** Makes the content of a file, or the names in a directory, durable. */
export async function syncToDisk(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}
