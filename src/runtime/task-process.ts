import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { failure } from '../kernel/errors.js';

/** Size of the parts in which the bytes of a task are sent, so that copying them does not hold up the event loop. */
const PART = 1_048_576;

/** How a {@link TaskProcess} runs its child process. */
interface TaskProcessOptions {
  /** File of the module that the child process runs. It calls `serveTasks`. */
  readonly entry: string;
  readonly arguments: readonly string[];
  /** Milliseconds after which the child process is killed with its task. */
  readonly timeout: number;
  /** Milliseconds without a task after which the child process is killed. */
  readonly idle: number;
}

/** What a task process sends to its child process: parts of the bytes of a task, then the task. */
export type TaskMessage<Task> = { readonly part: Uint8Array } | { readonly task: Task };

/** What the child process answers. The first message, without a result, says that it has loaded everything. */
export interface TaskReply<Result> {
  readonly result?: Result | null;
}

/**
 * Performs tasks, one after another, in a child process. Unlike a thread, it can be killed while native code runs, and its memory is freed
 * with it. It has a low priority, and no environment variables, which may be secrets.
 */
export class TaskProcess<Task, Result> {
  private child: ChildProcess | null = null;
  private last: Promise<unknown> = Promise.resolve();
  private idling: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(private readonly options: TaskProcessOptions) {}

  /**
   * Performs a task after those before it. Null: its result is null, or the child process did not survive the task.
   *
   * @throws Error if the child process cannot be started
   * @throws ApplicationError `unavailable` if this is closed meanwhile
   */
  run(task: Task, bytes: Uint8Array): Promise<Result | null> {
    const result = this.last.then(() => this.perform(task, bytes));
    this.last = result.catch(() => undefined);
    return result;
  }

  /** Kills the child process, whatever it does. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.idling);
    await this.kill();
  }

  private async perform(task: Task, bytes: Uint8Array): Promise<Result | null> {
    clearTimeout(this.idling);
    if (this.isClosed) throw failure('unavailable');
    if (this.child === null || !isRunning(this.child)) this.child = await this.started();
    const { child } = this;
    const timer = setTimeout(() => child.kill('SIGKILL'), this.options.timeout);
    try {
      return await this.resultOf(child, task, bytes);
    } finally {
      clearTimeout(timer);
      this.idling = setTimeout(() => void this.kill(), this.options.idle).unref();
    }
  }

  private async started(): Promise<ChildProcess> {
    const child = fork(this.options.entry, this.options.arguments, {
      execArgv: [],
      env: { MALLOC_ARENA_MAX: '2' },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.child = child;
    const failed = once(child, 'exit').then(([code, signal]) => {
      throw new Error(`The process for tasks could not be started: it ended with ${String(signal ?? code)}`);
    });
    await Promise.race([once(child, 'message'), failed]);
    // Those who wait for replies go before those who wait for results of tasks.
    setPriority(child.pid!, constants.priority.PRIORITY_BELOW_NORMAL);
    // What cannot be sent any more is known by the exit.
    child.on('error', () => undefined);
    return child;
  }

  private async resultOf(child: ChildProcess, task: Task, bytes: Uint8Array): Promise<Result | null> {
    const done = new AbortController();
    const { signal } = done;
    const reply = once(child, 'message', { signal }).then(([{ result }]) => result as Result | null);
    const ended = once(child, 'exit', { signal }).then(() => {
      if (this.isClosed) throw failure('unavailable');
      return null;
    });
    try {
      void sendTo(child, task, bytes);
      return await Promise.race([reply, ended]);
    } finally {
      done.abort();
    }
  }

  private async kill(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (child === null || !isRunning(child)) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** Never rejects: if something cannot be sent, the child process has ended. */
async function sendTo<Task>(child: ChildProcess, task: Task, bytes: Uint8Array): Promise<void> {
  const send = (message: TaskMessage<Task>): Promise<void> =>
    new Promise((resolve) => child.send(message, () => resolve()));
  for (let at = 0; at < bytes.length; at += PART) await send({ part: bytes.subarray(at, at + PART) });
  await send({ task });
}
