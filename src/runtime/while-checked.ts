import { setTimeout as pause } from 'node:timers/promises';

/**
 * Runs a task that may take long. Meanwhile repeats a check, and stops waiting for the task when a check fails. The task itself is not
 * interrupted.
 *
 * @param milliseconds the time before each check
 * @throws the error of the task, or of the check that failed
 */
export async function whileChecked<Result>(
  task: () => Promise<Result>,
  check: () => Promise<unknown>,
  milliseconds: number,
): Promise<Result> {
  const done = new AbortController();
  const checking = async (): Promise<never> => {
    for (;;) {
      await pause(milliseconds, undefined, { signal: done.signal });
      await check();
    }
  };
  // The result of whichever is later is ignored, also if it is an error.
  const [running, watching] = [task(), checking()];
  for (const each of [running, watching]) each.catch(() => undefined);
  try {
    return await Promise.race([running, watching]);
  } finally {
    done.abort();
  }
}
