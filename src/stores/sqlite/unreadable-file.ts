import { OperatorError } from '../../kernel/errors.js';

/** A SQLite file cannot be opened, or is damaged. The message is a sentence that names the file. */
export class UnreadableFileError extends OperatorError {
  override readonly name = 'UnreadableFileError';
}

/**
 * Opens a SQLite file.
 *
 * @throws UnreadableFileError for errors that an operator can correct; other errors unchanged
 */
export function openingFile<Opened>(file: string, open: () => Opened): Opened {
  try {
    return open();
  } catch (error) {
    const { code, message } = error as Error & { readonly code?: unknown };
    if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT') {
      throw new UnreadableFileError(`The file ${file} is damaged (${message}): restore it from a backup`);
    }
    if (code === 'SQLITE_CANTOPEN' || code === 'SQLITE_READONLY' || /^ConnectionFailed\(/.test(message)) {
      throw new UnreadableFileError(
        `The file ${file} cannot be opened: see that its folder is there, and that the server’s user may read and write both`,
      );
    }
    throw error;
  }
}
