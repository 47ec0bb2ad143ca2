import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { OperatorError } from '../../kernel/errors.js';
import { FileStoreUnavailableError } from './port.js';

/** A folder for files cannot be used. The message names the folder and what to do. */
class FileFolderError extends OperatorError {
  override readonly name = 'FileFolderError';
}

/**
 * Creates a folder for files if it is missing, and checks that the server's user may read and write there.
 *
 * @throws FileFolderError
 */
export function makeFileFolder(directory: string): Promise<void> {
  return openingFolder(directory, async () => {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  });
}

/** Does something with a folder at the start. @throws FileFolderError */
export async function openingFolder(directory: string, task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (cause) {
    const reason = reasonOf(cause as NodeJS.ErrnoException);
    throw new FileFolderError(`The folder ${directory} for uploaded files cannot be used: ${reason}`);
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return 'it is a file and not a folder; move it away';
    case 'EACCES':
    case 'EPERM':
      return 'the server’s user may not read and write there; give it the folder';
    default:
      return message;
  }
}

/** Errors of the disk that say nothing about the request: the same one may succeed once the operator has helped. */
const failures: ReadonlySet<unknown> = new Set([
  'EACCES',
  'EDQUOT',
  'EIO',
  'EISDIR',
  'EMFILE',
  'ENFILE',
  'ENOENT',
  'ENOSPC',
  'ENOTDIR',
  'EPERM',
  'EROFS',
]);

/** Does something with stored files. @throws FileStoreUnavailableError when the disk fails; other errors unchanged */
export async function onDisk<Result>(task: () => Promise<Result>): Promise<Result> {
  try {
    return await task();
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (!failures.has(code)) throw cause;
    throw new FileStoreUnavailableError(`Uploaded files cannot be used now: ${message}`, { cause });
  }
}
