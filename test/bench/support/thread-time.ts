import { readdir, readFile } from 'node:fs/promises';

/** CPU time of a process's threads since its start, in seconds. */
export interface ThreadTimes {
  /** The thread that answers requests. */
  readonly requests: number;
  /** The other threads, by id. */
  readonly others: ReadonlyMap<string, number>;
}

/** CPU time of threads during some work, in seconds. */
export interface SpentTime {
  readonly requests: number;
  /** The busiest of the other threads: while messages are sent, this is the one that runs the projections. */
  readonly projector: number;
  /** The threads of the database driver, the garbage collector and the compiler. */
  readonly rest: number;
}

/** Linux always reports CPU time in hundredths of a second. */
const TICKS_IN_SECOND = 100;

/** @throws Error on other systems than Linux, which do not report it */
export async function threadTimes(pid: number): Promise<ThreadTimes> {
  const others = new Map<string, number>();
  for (const thread of await readdir(`/proc/${pid}/task`)) others.set(thread, await secondsOf(pid, thread));
  const requests = others.get(String(pid)) ?? 0;
  others.delete(String(pid));
  return { requests, others };
}

/** The CPU time between two measurements. */
export function spentBetween(before: ThreadTimes, after: ThreadTimes): SpentTime {
  const spent = [...after.others].map(([thread, seconds]) => seconds - (before.others.get(thread) ?? 0));
  const projector = Math.max(0, ...spent);
  const all = spent.reduce((sum, seconds) => sum + seconds, 0);
  return { requests: after.requests - before.requests, projector, rest: all - projector };
}

/** The CPU time of a thread that has just ended is ignored. */
async function secondsOf(pid: number, thread: string): Promise<number> {
  const stat = await readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8').catch(() => '');
  // The name before these fields may contain spaces; it ends with the last parenthesis.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [userTicks, systemTicks] = [Number(fields[11] ?? 0), Number(fields[12] ?? 0)];
  return (userTicks + systemTicks) / TICKS_IN_SECOND;
}
