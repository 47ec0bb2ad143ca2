import { failure } from '../kernel/errors.js';

/** When a task is aborted. */
interface TaskEnding {
  /** Aborted when the task is to stop for another reason, for example because the process ends. */
  readonly stopped: AbortSignal;
  /** In milliseconds. */
  readonly timeout: number;
}

/**
 * Runs a task whose signal is aborted after a timeout, or with `stopped`.
 *
 * `AbortSignal.timeout` must not be given to `AbortSignal.any` alone: the combined signal refers to it weakly, so a garbage
 * collection removes it together with the timeout. Here a timer refers to the signal.
 *
 * @param task its second argument is aborted by the timeout only, so that the task can tell why it was aborted
 * @throws the error of the task
 */
export async function withTimeout<Result>(
  { stopped, timeout }: TaskEnding,
  task: (signal: AbortSignal, late: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new DOMException('The timeout is over', 'TimeoutError')),
    timeout,
  ).unref();
  try {
    return await task(AbortSignal.any([stopped, late.signal]), late.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Like {@link withTimeout}. @throws ApplicationError `queryTimeout` when it took too long; the error of the task */
export function withQueryTimeout<Result>(
  ending: TaskEnding,
  task: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return withTimeout(ending, async (signal, late) => {
    try {
      return await task(signal);
    } catch (error) {
      throw late.aborted ? failure('queryTimeout') : error;
    }
  });
}
