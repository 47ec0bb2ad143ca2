import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/** A folder below `TMPDIR` that only this user can open, for files that may hold what people wrote. */
export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** The folders of this thread. */
const present = new Set<string>();

/** `palimpsest-<purpose>-<process id>.<start of the process>-<random>` */
const nameForm = /^palimpsest-[a-z]+-(\d+)\.(\d+)-\w{6}$/;

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let isWatching = false;

/**
 * Creates a folder. It is removed by {@link TemporaryFolder.remove}, or else when the process exits, also because of a
 * signal. Folders that dead processes left, for instance after SIGKILL, are removed first.
 *
 * @param purpose letters for the name
 */
export function makeTemporaryFolder(purpose: string): TemporaryFolder {
  removeAbandoned();
  watchExit();
  const { pid } = process;
  const path = mkdtempSync(join(tmpdir(), `palimpsest-${purpose}-${pid}.${startOf(pid) ?? 0}-`));
  present.add(path);
  return {
    path,
    remove: async () => {
      await rm(path, { recursive: true, force: true });
      present.delete(path);
    },
  };
}

function watchExit(): void {
  if (isWatching) return;
  isWatching = true;
  process.on('exit', removePresent);
  // First, because handlers for one signal are gone once they ran. Threads get no signals: what they leave when the process dies is removed at the next use.
  if (isMainThread) for (const signal of endingSignals) process.prependListener(signal, endBy);
}

/** Without a handler of its own the process ends as it would without this one; a server ends in order. */
function endBy(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  removePresent();
  process.off(signal, endBy);
  process.kill(process.pid, signal);
}

function removePresent(): void {
  for (const path of present) rmSync(path, { recursive: true, force: true });
  present.clear();
}

function removeAbandoned(): void {
  for (const name of readdirSync(tmpdir())) {
    const [, pid, start] = nameForm.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid), start!)) removeOwn(join(tmpdir(), name));
  }
}

/** Leaves what other users put there. */
function removeOwn(path: string): void {
  try {
    const found = lstatSync(path);
    if (found.isDirectory() && found.uid === process.getuid?.())
      rmSync(path, { recursive: true, force: true });
  } catch {
    // Somebody else removes it, or it cannot be removed: neither keeps anybody from working.
  }
}

/** Whether the process that made a folder still runs. Another one may have got its id, as after the restart of a container. */
function isRunning(pid: number, start: string): boolean {
  const known = startOf(pid);
  if (known !== null) return known === start;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** When a process started, in ticks of the system's clock since it booted; null: it does not run, or the system does not say. */
function startOf(pid: number): string | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').trim().split(' ');
    return fields[19] ?? null;
  } catch {
    return null;
  }
}
