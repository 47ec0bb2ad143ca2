import { ClientGoneError } from '../../http/client-gone.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import type { DescribedTimeline } from '../described-timeline.js';
import type { View } from './visibility.js';

/** Which message is to be seen, and by whom. */
export interface ViewsInput {
  readonly messageId: number;
  /** The person whose view is reconstructed. */
  readonly userId: number;
}

/** The history of a message, and what a person could see of it. */
export interface MessageViews {
  readonly life: DescribedTimeline;
  readonly views: readonly View[];
}

/**
 * Reconstructs the past of a message outside the thread that answers requests.
 *
 * @param signal aborted when the result is not needed any more; the promise then settles as soon as possible
 * @returns null when no message has this id
 */
export type ReconstructViews = (input: ViewsInput, signal: AbortSignal) => Promise<MessageViews | null>;

/** Who asks, and when the request is cancelled. */
interface ViewRequester {
  readonly userId: number;
  /** Aborted when the client disconnects; null: that cannot be known. */
  readonly gone: AbortSignal | null;
}

/**
 * Limits the reconstructions of the past, each of which is built anew: one at a time for each person, few for
 * everybody together, and a timeout.
 */
export class ViewReconstructions {
  /** By account: when its reconstruction times out, in milliseconds of `performance.now()`. */
  private readonly running = new Map<number, number>();
  private readonly ended = new Set<Promise<unknown>>();
  private readonly closing = new AbortController();

  constructor(
    private readonly reconstruct: ReconstructViews,
    private readonly timeout: number = budgets.pastViewSeconds.max * 1000,
  ) {}

  /**
   * Runs one reconstruction.
   *
   * @param note called after the request was accepted and before the work begins
   * @throws ApplicationError `pastViewRunning`; `unavailable` when too many run; `queryTimeout`
   * @throws ClientGoneError
   */
  async run(
    { userId, gone }: ViewRequester,
    input: ViewsInput,
    note: () => Promise<void>,
  ): Promise<MessageViews | null> {
    const until = this.running.get(userId);
    if (until !== undefined) {
      const seconds = Math.max(1, Math.ceil((until - performance.now()) / 1000));
      throw failure('pastViewRunning', { 'retry-after': seconds });
    }
    if (this.closing.signal.aborted || this.running.size >= budgets.pastViews.max)
      throw failure('unavailable');
    this.running.set(userId, performance.now() + this.timeout);
    const timedOut = AbortSignal.timeout(this.timeout);
    const signal = AbortSignal.any([timedOut, this.closing.signal, ...(gone === null ? [] : [gone])]);
    const reconstruction = note().then(() => this.reconstruct(input, signal));
    // It occupies its place until it has really ended, even if nobody waits for the result any more.
    const ended = reconstruction.then(
      () => this.running.delete(userId),
      () => this.running.delete(userId),
    );
    this.ended.add(ended);
    void ended.then(() => this.ended.delete(ended));
    const reason = (): Error =>
      gone?.aborted === true
        ? new ClientGoneError()
        : failure(timedOut.aborted ? 'queryTimeout' : 'unavailable');
    const aborted = new Promise<never>((_resolve, reject) => {
      if (signal.aborted) reject(reason());
      else signal.addEventListener('abort', () => reject(reason()), { once: true });
    });
    return Promise.race([aborted, reconstruction]);
  }

  /** Aborts all reconstructions; resolves when they have ended. */
  async close(): Promise<void> {
    this.closing.abort();
    await Promise.all(this.ended);
  }
}
