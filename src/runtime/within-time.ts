/**
 * What a task comes to, if that is in time. A task that takes longer goes on by itself.
 *
 * @param milliseconds how long it may take
 * @throws what `late` makes, when it takes longer
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
