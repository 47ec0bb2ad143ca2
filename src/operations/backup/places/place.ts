import type { Readable } from 'node:stream';
import { BackupRefusedError } from '../manifest.js';

/** Where backups are kept: files by name, with `/` between its parts. What was put is durable, and whole or not there. */
export interface BackupPlace {
  /** How operators name it. */
  readonly address: string;
  put(name: string, file: string): Promise<void>;
  /** @throws BackupRefusedError where it is missing */
  read(name: string): Promise<Readable>;
  /** Names that begin with a folder's, in no order. */
  list(folder: string): Promise<readonly string[]>;
  /** What is not there is no fault. */
  delete(name: string): Promise<void>;
}

/** A file of a place that a manifest names, and that is gone. */
export function missing(address: string, name: string): BackupRefusedError {
  return new BackupRefusedError(`The backup is damaged: ${name} is missing at ${address}.`);
}
