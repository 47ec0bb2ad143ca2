interface Call<Item, Answer> {
  readonly items: readonly Item[];
  readonly resolve: (answers: readonly Answer[]) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Does together what is asked for within one turn of the event loop: under load one durable write then serves many
 * requests, and a lone request waits for nothing.
 */
export class BatchedCalls<Item, Answer> {
  private waiting: Call<Item, Answer>[] = [];
  private running: Promise<void> = Promise.resolve();

  /** @param perform answers one for one; when it fails, every call of the batch fails with its error */
  constructor(
    private readonly perform: (items: readonly Item[]) => readonly Answer[] | Promise<readonly Answer[]>,
  ) {}

  /** Joins the batch of this turn. */
  call(items: readonly Item[]): Promise<readonly Answer[]> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ items, resolve, reject });
      if (this.waiting.length === 1)
        this.running = Promise.all([this.running, this.nextBatch()]).then(() => {});
    });
  }

  /** Resolves once everything that was asked for has been answered. */
  idle(): Promise<void> {
    return this.running;
  }

  private async nextBatch(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const calls = this.waiting;
    this.waiting = [];
    try {
      const answers = await this.perform(calls.flatMap((call) => call.items));
      let start = 0;
      for (const { items, resolve } of calls) resolve(answers.slice(start, (start += items.length)));
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  }
}
