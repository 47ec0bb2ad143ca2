import pLimit, { type LimitFunction } from 'p-limit';
import type { Budget } from '../kernel/budgets.js';
import { failure } from '../kernel/errors.js';

/** What {@link FairLimit} limits. */
interface FairLimitOptions {
  /** How many pieces of work run at once. */
  readonly atOnce: number;
  /** How many wait, of all requesters together; those of one requester count as one. */
  readonly waiting: Pick<Budget, 'max'>;
  /** How many of one requester wait. */
  readonly waitingOfRequester: Pick<Budget, 'max'>;
}

/**
 * How many requesters' queues stay when they are empty. Making one for each piece of work costs memory that only a full garbage
 * collection frees, because the successive tables of a map refer to each other.
 */
const IDLE_QUEUES = 1000;

/** The work of one requester, which is done one after another. */
interface RequesterQueue {
  readonly limit: LimitFunction;
  count: number;
}

/** Does work a few pieces at once. Each requester has one piece in the queue of all, so the many of one delay only that requester. */
export class FairLimit<Requester> {
  private readonly limit: LimitFunction;
  private readonly byRequester = new Map<Requester, RequesterQueue>();

  constructor(private readonly options: FairLimitOptions) {
    this.limit = pLimit(options.atOnce);
  }

  /**
   * Does work of nobody in particular.
   *
   * @throws ApplicationError `unavailable` when too many are waiting
   */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.limit.pendingCount >= this.options.waiting.max) throw failure('unavailable');
    return this.limit(work);
  }

  /** Does work for a requester, after their earlier work. @throws as {@link run} */
  async runFor<Result>(requester: Requester, work: () => Promise<Result>): Promise<Result> {
    const queue = this.byRequester.get(requester) ?? { limit: pLimit(1), count: 0 };
    if (queue.limit.pendingCount >= this.options.waitingOfRequester.max) throw failure('unavailable');
    this.byRequester.set(requester, queue);
    queue.count += 1;
    try {
      return await queue.limit(() => this.run(work));
    } finally {
      queue.count -= 1;
      if (queue.count === 0 && this.byRequester.size > IDLE_QUEUES) this.byRequester.delete(requester);
    }
  }
}
