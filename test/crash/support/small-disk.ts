import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory with little room: it needs Linux and the right to mount. */
export class SmallDisk {
  private constructor(readonly folder: string) {}

  /** @throws Error when it cannot be mounted here */
  static mount(folder: string, megabytes: number): SmallDisk {
    mkdirSync(folder, { recursive: true });
    run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', folder]);
    return new SmallDisk(folder);
  }

  /** Whether this machine lets the tests mount anything. */
  static isPossible(): boolean {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-mount-'));
    try {
      SmallDisk.mount(folder, 1).unmount();
      return true;
    } catch {
      return false;
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  resize(megabytes: number): void {
    run('mount', ['-o', `remount,size=${megabytes}m`, this.folder]);
  }

  /** Leaves no room at all, until {@link empty}. */
  fill(): void {
    const file = openSync(this.ballast, 'a');
    try {
      for (const chunk of [Buffer.alloc(65_536, 1), Buffer.alloc(4_096, 1)]) writeUntilFull(file, chunk);
    } finally {
      closeSync(file);
    }
  }

  empty(): void {
    rmSync(this.ballast, { force: true });
  }

  /** Also while this process has files open there: SQLite's connections end with their statements, when those are collected. */
  unmount(): void {
    run('umount', ['--lazy', this.folder]);
  }

  private get ballast(): string {
    return join(this.folder, 'ballast');
  }
}

function writeUntilFull(file: number, chunk: Buffer): void {
  try {
    while (writeSync(file, chunk) === chunk.length);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOSPC') throw error;
  }
}

function run(command: string, input: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, input, { encoding: 'utf8' });
  if (status !== 0) throw error ?? new Error(`${command} ${input.join(' ')}: ${stderr}`);
}
