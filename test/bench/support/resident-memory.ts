import { readFile } from 'node:fs/promises';

/**
 * The resident memory of a process, in MB.
 *
 * @throws Error on other systems than Linux, which do not report it
 */
export function residentMegabytes(pid: number): Promise<number> {
  return megabytesOf(pid, 'VmRSS');
}

/** The peak of a process's resident memory, in MB. */
export function peakMegabytes(pid: number): Promise<number> {
  return megabytesOf(pid, 'VmHWM');
}

async function megabytesOf(pid: number, name: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  return (Number(kilobytes) * 1024) / 1_000_000;
}
