/** Interval between reports of a task that is still running, in milliseconds. */
const REPORT_MILLISECONDS = 5_000;

/**
 * Runs a task, and reports every few seconds that it is still running.
 *
 * @param report gets the seconds since the task started
 */
export async function reportWhileRunning<Result>(
  task: () => Promise<Result>,
  report: (seconds: number) => void,
): Promise<Result> {
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += REPORT_MILLISECONDS / 1000;
    report(seconds);
  }, REPORT_MILLISECONDS);
  try {
    return await task();
  } finally {
    clearInterval(timer);
  }
}
