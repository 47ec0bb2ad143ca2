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

const MICROSECONDS = 1_000_000;

/**
 * Performs the tasks of a `TaskProcess` in its child process, which kills itself as soon as a task exceeds a limit. `perform` must leave the
 * event loop free, for example by running native code on other threads.
 */
export function serveTasks<Task, Result>(
  perform: (task: Task, bytes: Uint8Array) => Promise<Result | null>,
  limits: TaskLimits,
): void {
  const send = (reply: TaskReply<Result>): void => void process.send!(reply);
  const end = (): void => void process.kill(process.pid, 'SIGKILL');
  const parts: Uint8Array[] = [];
  let before: NodeJS.CpuUsage | null = null;
  const performNext = async (task: Task): Promise<void> => {
    before = process.cpuUsage();
    const result = await perform(task, Buffer.concat(parts.splice(0)));
    before = null;
    send({ result });
  };
  process.on('message', (message: TaskMessage<Task>) => {
    if ('part' in message) parts.push(message.part);
    else void performNext(message.task);
  });
  setInterval(() => {
    if (before !== null && exceeds(before, limits)) end();
  }, CHECK);
  process.on('disconnect', end);
  // A signal to the whole group, or to all processes of a service, is for the server: it ends this process itself.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
  send({});
}

function exceeds(before: NodeJS.CpuUsage, limits: TaskLimits): boolean {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / MICROSECONDS > limits.seconds || process.memoryUsage.rss() > limits.bytes;
}
