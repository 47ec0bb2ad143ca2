import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { failure } from '../kernel/errors.js';

/** Size of the parts in which the bytes of a task are sent, so that copying them does not hold up the event loop. */
const PART = 1_048_576;

/** Bytes that a child process may have grown by when the next task is given to it: its memory counts as that of the task. */
const MAX_GROWTH = 67_108_864;

/** Number of characters of its errors that are reported if a child process cannot be started. */
const TOLD = 1_000;

/** Signals by which native code ends that went wrong. */
const crashes: ReadonlySet<unknown> = new Set(['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE']);

/** How a {@link TaskProcess} runs its child process. */
interface TaskProcessOptions {
  /** File of the module that the child process runs. It calls `serveTasks`. */
  readonly entry: string;
  readonly arguments: readonly string[];
  /** Milliseconds after which the child process is killed with its task. */
  readonly timeout: number;
  /** Milliseconds without a task after which the child process is killed. */
  readonly idle: number;
  /** Called with the reason for a task without a result: it exceeded a limit, or made the process crash. */
  readonly noteFailure: (reason: string) => void;
}

/** What a task process sends to its child process: parts of the bytes of a task, then the task. */
export type TaskMessage<Task> = { readonly part: Uint8Array } | { readonly task: Task };

/** What the child process answers. The first message has neither a result nor a limit: it has loaded everything. */
export interface TaskReply<Result> {
  readonly result?: Result | null;
  /** The task exceeded a limit, and goes on until the process is killed. */
  readonly isOver?: true;
  /** Bytes of memory of the process. */
  readonly memory: number;
}

/** A child process, and its memory before the first task. */
interface StartedChild {
  readonly process: ChildProcess;
  readonly memory: number;
}

/** A child process ended during a task, and nobody knows whether because of it. */
class TaskProcessEndedError extends Error {
  override readonly name = 'TaskProcessEndedError';

  constructor(readonly reason: unknown) {
    super(`The process for tasks ended during a task: ${String(reason)}`);
  }
}

/**
 * Performs tasks, one after another, in a child process. Unlike a thread, it can be killed while native code runs, and its memory is freed
 * with it. It has a low priority, and no environment variables, which may be secrets.
 */
export class TaskProcess<Task, Result> {
  private child: StartedChild | null = null;
  private last: Promise<unknown> = Promise.resolve();
  private idling: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(private readonly options: TaskProcessOptions) {}

  /**
   * Performs a task after those before it. Null: its result is null, it exceeded a limit, or it made the process crash.
   *
   * @throws Error if the child process cannot be started, or ends twice for another reason
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
    try {
      return await this.attempt(task, bytes);
    } catch (error) {
      if (!(error instanceof TaskProcessEndedError)) throw error;
    }
    try {
      // Tasks before it, or something outside, may have ended the process.
      return await this.attempt(task, bytes);
    } catch (error) {
      if (!(error instanceof TaskProcessEndedError) || !crashes.has(error.reason)) throw error;
      this.options.noteFailure(error.message);
      return null;
    }
  }

  private async attempt(task: Task, bytes: Uint8Array): Promise<Result | null> {
    clearTimeout(this.idling);
    const timer = setTimeout(() => void this.kill(), this.options.timeout);
    try {
      const child = await this.running();
      const { result = null, isOver, memory } = await this.replyOf(child.process, task, bytes);
      if (isOver === true) this.options.noteFailure('A task exceeded a limit of its process');
      if (isOver === true || memory > child.memory + MAX_GROWTH) await this.kill();
      return result;
    } finally {
      clearTimeout(timer);
      this.idling = setTimeout(() => void this.kill(), this.options.idle).unref();
    }
  }

  private async running(): Promise<StartedChild> {
    if (this.isClosed) throw failure('unavailable');
    if (this.child !== null && hasNotEnded(this.child.process)) return this.child;
    const child = fork(this.options.entry, this.options.arguments, {
      execArgv: [],
      env: { MALLOC_ARENA_MAX: '2' },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    // Its threads inherit the priority: those who wait for replies go before those who wait for results of tasks.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    this.child = { process: child, memory: 0 };
    let errors = '';
    child.stderr?.on('data', (text: Buffer) => (errors = `${errors}${text.toString()}`.slice(-TOLD)));
    const failed = once(child, 'exit').then(([code, signal]) => {
      if (this.isClosed) throw failure('unavailable');
      throw new Error(`The process for tasks could not be started: ${String(signal ?? code)} ${errors}`);
    });
    const [{ memory }] = (await Promise.race([once(child, 'message'), failed])) as [TaskReply<Result>];
    // What cannot be sent any more is known by the exit.
    child.on('error', () => undefined);
    return (this.child = { process: child, memory });
  }

  private async replyOf(child: ChildProcess, task: Task, bytes: Uint8Array): Promise<TaskReply<Result>> {
    const done = new AbortController();
    const { signal } = done;
    const reply = once(child, 'message', { signal }).then(([message]) => message as TaskReply<Result>);
    const ended = once(child, 'exit', { signal }).then(([code, killedBy]) => {
      throw this.isClosed ? failure('unavailable') : new TaskProcessEndedError(killedBy ?? code);
    });
    try {
      void sendTo(child, task, bytes);
      return await Promise.race([reply, ended]);
    } finally {
      done.abort();
    }
  }

  private async kill(): Promise<void> {
    const child = this.child?.process;
    this.child = null;
    if (child === undefined || !hasNotEnded(child)) return;
    await new Promise((resolve) => {
      child.once('exit', resolve);
      child.kill('SIGKILL');
    });
  }
}

function hasNotEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** Never rejects: if something cannot be sent, the child process has ended. */
async function sendTo<Task>(child: ChildProcess, task: Task, bytes: Uint8Array): Promise<void> {
  const send = (message: TaskMessage<Task>): Promise<void> =>
    new Promise((resolve) => child.send(message, () => resolve()));
  for (let at = 0; at < bytes.length; at += PART) await send({ part: bytes.subarray(at, at + PART) });
  await send({ task });
}
