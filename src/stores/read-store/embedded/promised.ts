/** Runs a synchronous task behind an asynchronous port: thrown errors become rejections. */
export function promised<Result>(task: () => Result): Promise<Result> {
  return new Promise((resolve) => resolve(task()));
}
