import { rmSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { failure } from '../../kernel/errors.js';

/**
 * A folder for the files that tasks make, until they are downloaded. Files that an earlier process left there are
 * removed.
 */
export class TaskFolder {
  /** @param folder null: tasks make no files */
  constructor(private readonly folder: string | null) {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }

  /** The path of a file. @throws ApplicationError `taskResultsNotInLog` when tasks make no files */
  path(name: string): string {
    if (this.folder === null) throw failure('taskResultsNotInLog');
    return join(this.folder, name);
  }

  /** Creates the folder if it does not exist. */
  async make(): Promise<void> {
    if (this.folder !== null) await mkdir(this.folder, { recursive: true, mode: 0o700 });
  }

  /** Removes a file, and what an interrupted task left of it. */
  async remove(name: string): Promise<void> {
    if (this.folder === null) return;
    const file = this.path(name);
    await rm(file, { force: true });
    await rm(`${file}.parts`, { recursive: true, force: true });
  }

  /** Removes the folder with its content. */
  async close(): Promise<void> {
    if (this.folder !== null) await rm(this.folder, { recursive: true, force: true });
  }
}
