import { readFile } from 'node:fs/promises';

/**
 * Memory that a process holds, in MB.
 *
 * @throws Error where the system does not tell: only Linux does
 */
export async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return (Number(kilobytes) * 1024) / 1_000_000;
}
