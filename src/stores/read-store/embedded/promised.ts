/** Runs a synchronous task behind a port of promises: what it throws is a rejection. */
export function promised<Result>(task: () => Result): Promise<Result> {
  return new Promise((resolve) => resolve(task()));
}
