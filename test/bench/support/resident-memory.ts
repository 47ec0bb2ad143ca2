import { readFile } from 'node:fs/promises';

/**
 * Memory that a process holds, in MB.
 *
 * @throws Error where the system does not tell: only Linux does
 */
export function residentMegabytes(pid: number): Promise<number> {
  return megabytesOf(pid, 'VmRSS');
}

/** The most memory that a process has held, in MB. */
export function peakMegabytes(pid: number): Promise<number> {
  return megabytesOf(pid, 'VmHWM');
}

async function megabytesOf(pid: number, name: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  return (Number(kilobytes) * 1024) / 1_000_000;
}
