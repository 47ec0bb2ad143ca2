import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

interface Call<Item, Answer> {
  readonly items: readonly Item[];
  readonly resolve: (answers: readonly Answer[]) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Batches calls: those made within one turn of the event loop, or while the previous batch is running, form the next batch. Under load, one
 * durable write then serves many requests; a single call is not delayed.
 */
export class BatchedCalls<Item, Answer> {
  private waiting: Call<Item, Answer>[] = [];
  private running: Promise<void> | null = null;

  /** @param perform returns one answer for each item, in order; when it rejects, all calls of the batch reject with its error */
  constructor(private readonly perform: (items: readonly Item[]) => Promise<readonly Answer[]>) {}

  /** Adds an item to the next batch. */
  call(items: readonly Item[]): Promise<readonly Answer[]> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ items, resolve, reject });
      this.running ??= this.run();
    });
  }

  /** Resolves when all calls so far are answered. */
  async idle(): Promise<void> {
    await this.running;
  }

  private async run(): Promise<void> {
    await yieldToEventLoop();
    while (this.waiting.length > 0) await this.performBatch(this.waiting.splice(0));
    this.running = null;
  }

  private async performBatch(calls: readonly Call<Item, Answer>[]): Promise<void> {
    try {
      const answers = await this.perform(calls.flatMap((call) => call.items));
      let start = 0;
      for (const { items, resolve } of calls) resolve(answers.slice(start, (start += items.length)));
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  }
}
