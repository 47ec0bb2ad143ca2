import { writeFileSync } from 'node:fs';
import type { TaskMessage, TaskReply } from './task-process.js';

/** What one task may use. Processor time, unlike time, does not depend on what else the machine does. */
export interface TaskLimits {
  /** Seconds of processor time of all threads. */
  readonly seconds: number;
  /** Bytes of memory of the process. */
  readonly bytes: number;
}

/** Milliseconds between two checks of the limits. */
const CHECK = 50;

/** Checks after which a process that exceeds a limit, and was not killed meanwhile, ends itself. */
const GRACE = 20;

const MICROSECONDS = 1_000_000;

/**
 * Performs the tasks of a `TaskProcess` in its child process, and tells when one exceeds a limit. `perform` must leave the event loop free, for
 * example by running native code on other threads.
 */
export function serveTasks<Task, Result>(
  perform: (task: Task, bytes: Uint8Array) => Promise<Result | null>,
  limits: TaskLimits,
): void {
  const send = (reply: Omit<TaskReply<Result>, 'memory'>): void =>
    void process.send!({ ...reply, memory: process.memoryUsage.rss() });
  const parts: Uint8Array[] = [];
  let usage: TaskUsage | null = null;
  const performNext = async (task: Task): Promise<void> => {
    usage = new TaskUsage(limits);
    const result = await perform(task, Buffer.concat(parts.splice(0)));
    usage = null;
    send({ result });
  };
  process.on('message', (message: TaskMessage<Task>) => {
    if ('part' in message) parts.push(message.part);
    else void performNext(message.task);
  });
  setInterval(() => {
    const checks = usage?.checksOver() ?? 0;
    if (checks === 1) send({ isOver: true });
    if (checks > GRACE) end();
  }, CHECK);
  process.on('disconnect', end);
  // A signal to the whole group, or to all processes of a service, is for the server: it ends this process itself.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
  offerToBeEndedFirst();
  send({});
}

/** What a task has used so far. */
class TaskUsage {
  private readonly before = process.cpuUsage();
  private over = 0;

  constructor(private readonly limits: TaskLimits) {}

  /** The number of checks since it exceeded a limit; 0: it has not. */
  checksOver(): number {
    const { user, system } = process.cpuUsage(this.before);
    const isOver =
      (user + system) / MICROSECONDS > this.limits.seconds || process.memoryUsage.rss() > this.limits.bytes;
    if (isOver || this.over > 0) this.over += 1;
    return this.over;
  }
}

function end(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** If the machine runs out of memory, this process shall end and not the server. Only Linux has such an order. */
function offerToBeEndedFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Elsewhere the system chooses by itself.
  }
}
