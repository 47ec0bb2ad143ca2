import type { Readable } from 'node:stream';
import { BackupRefusedError } from '../manifest.js';

/**
 * A storage for backups: files by name, with `/` as separator. A file that was put is durable, and is stored whole
 * or not at all.
 */
export interface BackupPlace {
  /** The address that operators know it by. */
  readonly address: string;
  put(name: string, file: string): Promise<void>;
  /** @throws BackupRefusedError when the file is missing */
  read(name: string): Promise<Readable>;
  /** The names of the files in a folder and its subfolders, in no particular order. */
  list(folder: string): Promise<readonly string[]>;
  /** Deleting a missing file is no error. */
  delete(name: string): Promise<void>;
}

/** The error for a file that a manifest names and that the place does not have. */
export function missing(address: string, name: string): BackupRefusedError {
  return new BackupRefusedError(`The backup is damaged: ${name} is missing at ${address}.`);
}
