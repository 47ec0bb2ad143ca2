import { rmSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { asApplicationError } from '../http/as-application-error.js';
import { failure } from '../kernel/errors.js';

/** Where the files that tasks make lie until they are fetched. What an earlier process left there is removed. */
export class TaskFolder {
  /** @param folder null: nothing is made */
  constructor(private readonly folder: string | null) {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }

  /** The path of a file. @throws ApplicationError `looksNotInLog` where nothing is made */
  path(name: string): string {
    if (this.folder === null) throw failure('looksNotInLog');
    return join(this.folder, name);
  }

  /** Makes the folder where it is missing. */
  async make(): Promise<void> {
    if (this.folder !== null) await mkdir(this.folder, { recursive: true, mode: 0o700 });
  }

  /** Removes a file, and what a task that ended in the middle left of it. */
  async remove(name: string): Promise<void> {
    if (this.folder === null) return;
    const file = this.path(name);
    await rm(file, { force: true });
    await rm(`${file}.parts`, { recursive: true, force: true });
  }

  /** Removes the folder with all that is in it. */
  async close(): Promise<void> {
    if (this.folder !== null) await rm(this.folder, { recursive: true, force: true });
  }
}

/** When a task is ended before it has come to its end. */
export interface TaskEnding {
  readonly stopped: AbortSignal;
  /** Milliseconds. */
  readonly timeout: number;
}

/**
 * Does a task within its time.
 *
 * @throws ApplicationError `queryTimeout` when it took too long, and what the task failed with
 */
export async function runTask<Result>(
  { stopped, timeout }: TaskEnding,
  task: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = AbortSignal.timeout(timeout);
  try {
    return await task(AbortSignal.any([stopped, late]));
  } catch (error) {
    throw late.aborted ? failure('queryTimeout') : asApplicationError(error);
  }
}
