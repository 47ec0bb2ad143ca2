import type { Readable } from 'node:stream';
import { OperatorError } from '../../kernel/errors.js';

/** A range of bytes, counted from 0, both ends included. */
export interface ByteRange {
  readonly from: number;
  readonly through: number;
}

/**
 * Stores the bytes of uploaded files. The server chooses the names: segments of letters, digits, `-` and `_`, separated by slashes. Both
 * adapters pass one contract suite.
 */
export interface FileStore {
  /**
   * Stores bytes under a new name. When this resolves, all bytes are stored; otherwise the name does not exist.
   *
   * @throws FileStoreUnavailableError
   */
  put(name: string, content: Readable): Promise<void>;
  /** @throws FileMissingError when there is no file with this name; FileStoreUnavailableError */
  read(name: string, range: ByteRange): Promise<Readable>;
  /**
   * No effect if there is no file with this name.
   *
   * @throws FileStoreUnavailableError
   */
  delete(name: string): Promise<void>;
  close(): Promise<void>;
}

/** There is no file with this name. */
export class FileMissingError extends Error {
  override readonly name = 'FileMissingError';
  constructor(readonly file: string) {
    super(`There is no stored file ${file}`);
  }
}

/** The files cannot be reached now; the same request may succeed later. */
export class FileStoreUnavailableError extends OperatorError {
  override readonly name = 'FileStoreUnavailableError';
}
