import { readdir, readFile } from 'node:fs/promises';

/** CPU time of a process's threads since it began, in seconds. */
export interface ThreadTimes {
  /** The thread that answers requests. */
  readonly requests: number;
  /** The others by their ids. */
  readonly others: ReadonlyMap<string, number>;
}

/** CPU time that threads took in a stretch of work, in seconds. */
export interface SpentTime {
  readonly requests: number;
  /** The busiest of the others: while messages are sent, the one that keeps the read models. */
  readonly projector: number;
  /** The driver's threads, the garbage collector's, the compiler's. */
  readonly rest: number;
}

/** Linux counts CPU time in hundredths of a second, whatever the machine. */
const TICKS_IN_SECOND = 100;

/** @throws Error where the system does not tell: only Linux does */
export async function threadTimes(pid: number): Promise<ThreadTimes> {
  const others = new Map<string, number>();
  for (const thread of await readdir(`/proc/${pid}/task`)) others.set(thread, await secondsOf(pid, thread));
  const requests = others.get(String(pid)) ?? 0;
  others.delete(String(pid));
  return { requests, others };
}

/** What was spent between two looks. */
export function spentBetween(before: ThreadTimes, after: ThreadTimes): SpentTime {
  const spent = [...after.others].map(([thread, seconds]) => seconds - (before.others.get(thread) ?? 0));
  const projector = Math.max(0, ...spent);
  const all = spent.reduce((sum, seconds) => sum + seconds, 0);
  return { requests: after.requests - before.requests, projector, rest: all - projector };
}

/** A thread that has just ended took what is not worth counting. */
async function secondsOf(pid: number, thread: string): Promise<number> {
  const stat = await readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8').catch(() => '');
  // The name before them may hold spaces; it ends with the last parenthesis.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [userTicks, systemTicks] = [Number(fields[11] ?? 0), Number(fields[12] ?? 0)];
  return (userTicks + systemTicks) / TICKS_IN_SECOND;
}
