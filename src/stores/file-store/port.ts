import type { Readable } from 'node:stream';

/** Bytes of a file, both ends counted from 0 and included. */
export interface ByteRange {
  readonly from: number;
  readonly through: number;
}

/**
 * Where the bytes of uploaded files lie. Names are of our own making: segments of letters, digits, `-` and `_`, parted by
 * slashes. Both adapters pass one contract suite.
 */
export interface FileStore {
  /** Keeps bytes under a name that is new. The name exists when this resolves, with all of the bytes or not at all. */
  put(name: string, content: Readable): Promise<void>;
  /** @throws FileMissingError when nothing is kept under the name */
  read(name: string, range: ByteRange): Promise<Readable>;
  /** Doing it again, or for a name that never was, changes nothing. */
  delete(name: string): Promise<void>;
  close(): Promise<void>;
}

/** The store has no file of that name. */
export class FileMissingError extends Error {
  override readonly name = 'FileMissingError';
  constructor(readonly file: string) {
    super(`There is no stored file ${file}`);
  }
}
