/**
 * Waits for a task, up to a timeout. The task itself is not interrupted.
 *
 * @param milliseconds the timeout
 * @throws the error that `late` makes, after the timeout
 */
export async function withinTime<Result>(
  task: () => Promise<Result>,
  milliseconds: number,
  late: () => Error,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds);
  });
  try {
    return await Promise.race([task(), end]);
  } finally {
    clearTimeout(timer);
  }
}
