import pLimit, { type LimitFunction } from 'p-limit';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';

/** The work of one asker, which is done piece by piece. */
interface AskedWork {
  readonly limit: LimitFunction;
  count: number;
}

/**
 * Turns for expensive work about passwords: each asker has one piece of work among those that wait for all, so the many
 * of one delay only that asker.
 */
export class AskerTurns {
  private readonly limit: LimitFunction;
  private readonly maxOfAsker: number;
  private readonly byAsker = new Map<string, AskedWork>();

  /**
   * @param atOnce how many pieces of work are done at once
   * @param maxOfAsker how many pieces of work of one asker may wait
   */
  constructor({ atOnce, maxOfAsker }: { readonly atOnce: number; readonly maxOfAsker: number }) {
    this.limit = pLimit(atOnce);
    this.maxOfAsker = maxOfAsker;
  }

  /**
   * Does the work when it is the asker's turn.
   *
   * @param asker an address or an account; null: the work is an asker's of its own
   * @throws ApplicationError `unavailable` when too much is waiting
   */
  async run<Result>(asker: string | null, work: () => Promise<Result>): Promise<Result> {
    if (asker === null) return this.inTurn(work);
    const asked = this.byAsker.get(asker) ?? { limit: pLimit(1), count: 0 };
    if (asked.limit.pendingCount >= this.maxOfAsker) throw failure('unavailable');
    this.byAsker.set(asker, asked);
    asked.count += 1;
    try {
      return await asked.limit(() => this.inTurn(work));
    } finally {
      asked.count -= 1;
      if (asked.count === 0) this.byAsker.delete(asker);
    }
  }

  private async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.limit.pendingCount >= budgets.waitingPasswords.max) throw failure('unavailable');
    return this.limit(work);
  }
}
