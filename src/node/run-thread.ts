import { Worker, type ResourceLimits } from 'node:worker_threads';

/**
 * The message that asks a thread to stop. A thread must end by itself: terminating it during a database statement
 * would crash the process.
 */
export const STOP = 'stop';

/** A thread that runs one task and ends. */
interface OneTask {
  /** The module that the thread runs. */
  readonly entry: URL;
  readonly workerData: object;
  /** Absent: the limits of this process. */
  readonly resourceLimits?: ResourceLimits;
}

/** A message of a thread: of the type `progress`, or its outcome. */
interface ThreadMessage {
  readonly type: string;
}

type Progress<Message> = Extract<Message, { readonly type: 'progress' }>;
type Outcome<Message> = Exclude<Message, { readonly type: 'progress' }>;

/** The caller's side of a task. */
interface TaskWaiter<Message> {
  readonly onProgress: (progress: Progress<Message>) => void;
  /** Asks the thread to stop; absent: it always runs to its end. */
  readonly signal?: AbortSignal;
}

/** How a thread ended. */
interface EndedThread<Message> {
  /** Null: it sent none. */
  readonly outcome: Outcome<Message> | null;
  /** The error that the thread failed with; null: none. */
  readonly fault: unknown;
}

/** Runs a thread and waits until it has ended, because only then its stores are closed. */
export function runThread<Message extends ThreadMessage>(
  { entry, ...options }: OneTask,
  { onProgress, signal }: TaskWaiter<Message>,
): Promise<EndedThread<Message>> {
  return new Promise((resolve) => {
    const thread = new Worker(entry, options);
    const stop = (): void => thread.postMessage(STOP);
    let outcome: Outcome<Message> | null = null;
    let fault: unknown = null;
    thread.on('message', (message: Message) => {
      if (message.type === 'progress') onProgress(message as Progress<Message>);
      else outcome = message as Outcome<Message>;
    });
    thread.once('error', (error) => (fault = error));
    thread.once('exit', () => {
      signal?.removeEventListener('abort', stop);
      resolve({ outcome, fault });
    });
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
