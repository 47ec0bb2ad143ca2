import { setImmediate as nextTurn } from 'node:timers/promises';

interface Call<Item, Answer> {
  readonly items: readonly Item[];
  readonly resolve: (answers: readonly Answer[]) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Does together what is asked for within one turn of the event loop, or while the batch before it is under way: under load
 * one durable write then serves many requests, and a lone request waits for nothing.
 */
export class BatchedCalls<Item, Answer> {
  private waiting: Call<Item, Answer>[] = [];
  private running: Promise<void> | null = null;

  /** @param perform answers one for one; when it fails, every call of the batch fails with its error */
  constructor(private readonly perform: (items: readonly Item[]) => Promise<readonly Answer[]>) {}

  /** Joins the next batch. */
  call(items: readonly Item[]): Promise<readonly Answer[]> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ items, resolve, reject });
      this.running ??= this.run();
    });
  }

  /** Resolves once everything that was asked for has been answered. */
  async idle(): Promise<void> {
    await this.running;
  }

  private async run(): Promise<void> {
    await nextTurn();
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
