import pLimit, { type LimitFunction } from 'p-limit';
import type { Budget } from '../kernel/budgets.js';
import { failure } from '../kernel/errors.js';

/** What {@link FairLimit} limits. */
interface FairLimitOptions {
  /** How many pieces of work run at once. */
  readonly atOnce: number;
  /** How many wait, of all askers together; those of one asker count as one. */
  readonly waiting: Pick<Budget, 'max'>;
  /** How many of one asker wait. */
  readonly waitingOfAsker: Pick<Budget, 'max'>;
}

/** The work of one asker, which is done one after another. */
interface AskedWork {
  readonly limit: LimitFunction;
  count: number;
}

/** Does work a few pieces at once. Each asker has one piece in the queue of all, so the many of one delay only that asker. */
export class FairLimit<Asker> {
  private readonly limit: LimitFunction;
  private readonly byAsker = new Map<Asker, AskedWork>();

  constructor(private readonly options: FairLimitOptions) {
    this.limit = pLimit(options.atOnce);
  }

  /**
   * Does work of nobody in particular.
   *
   * @throws ApplicationError `unavailable` when too many are waiting
   */
  async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.limit.pendingCount >= this.options.waiting.max) throw failure('unavailable');
    return this.limit(work);
  }

  /** Does work of an asker. @throws as {@link inTurn} */
  async inTurnOf<Result>(asker: Asker, work: () => Promise<Result>): Promise<Result> {
    const asked = this.byAsker.get(asker) ?? { limit: pLimit(1), count: 0 };
    if (asked.limit.pendingCount >= this.options.waitingOfAsker.max) throw failure('unavailable');
    this.byAsker.set(asker, asked);
    asked.count += 1;
    try {
      return await asked.limit(() => this.inTurn(work));
    } finally {
      asked.count -= 1;
      if (asked.count === 0) this.byAsker.delete(asker);
    }
  }
}
