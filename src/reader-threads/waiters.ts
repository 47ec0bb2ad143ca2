import { ClientGoneError } from '../http/client-gone.js';
import { failure } from '../kernel/errors.js';

/** What {@link Waiters} are told. */
export interface WaitersOptions {
  /** Who waits so long for the task to start is refused, in milliseconds. */
  readonly timeout: number;
  /**
   * Somebody waits no more for a task that has not started.
   *
   * @param waited for so many seconds
   * @param areLeft whether somebody else still does
   */
  onLeave(waited: number, areLeft: boolean): void;
}

interface Waiter<Answer> {
  readonly since: number;
  /** Aborted when nobody waits for the answer any more; null: somebody always does. */
  readonly signal: AbortSignal | null;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  /** Ends what has them leave before the task starts. */
  unwatch: () => void;
}

/** Those who wait for one task, each with a client of their own. */
export class Waiters<Answer> {
  private readonly waiters = new Set<Waiter<Answer>>();

  constructor(private readonly options: WaitersOptions) {}

  /** @throws ApplicationError `queryTimeout`; ClientGoneError; what the task ends with */
  join(signal: AbortSignal | null): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const waiter = { since: performance.now(), signal, resolve, reject, unwatch: () => {} };
      this.waiters.add(waiter);
      this.watch(waiter);
    });
  }

  /** When the first of them came, by the monotonic clock. */
  get since(): number {
    return Math.min(...[...this.waiters].map(({ since }) => since));
  }

  /**
   * Nobody leaves any more: the task starts.
   *
   * @returns aborted once all of their clients have gone; null: somebody waits in any case
   */
  started(): AbortSignal | null {
    for (const { unwatch } of this.waiters) unwatch();
    const signals = [...this.waiters].map(({ signal }) => signal);
    return signals.length === 1 ? (signals[0] ?? null) : whenAllAborted(signals);
  }

  resolve(answer: Answer): void {
    for (const { resolve } of this.waiters) resolve(answer);
  }

  reject(error: Error): void {
    for (const { unwatch, reject } of this.waiters) {
      unwatch();
      reject(error);
    }
  }

  /** The task was ended: it took too long, or nobody waited for it any more. */
  rejectAsLate(): void {
    for (const { signal, reject } of this.waiters)
      reject(signal?.aborted === true ? new ClientGoneError() : failure('queryTimeout'));
  }

  private watch(waiter: Waiter<Answer>): void {
    const { signal, since } = waiter;
    const leave = (reason: Error): void => {
      waiter.unwatch();
      this.waiters.delete(waiter);
      this.options.onLeave((performance.now() - since) / 1000, this.waiters.size > 0);
      waiter.reject(reason);
    };
    const timer = setTimeout(() => leave(failure('queryTimeout')), this.options.timeout).unref();
    const onGone = (): void => leave(new ClientGoneError());
    signal?.addEventListener('abort', onGone, { once: true });
    waiter.unwatch = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onGone);
    };
    if (signal?.aborted === true) onGone();
  }
}

function whenAllAborted(signals: readonly (AbortSignal | null)[]): AbortSignal | null {
  const all = new AbortController();
  let left = signals.length;
  for (const signal of signals) {
    if (signal === null) return null;
    const onAborted = (): void => {
      left -= 1;
      if (left === 0) all.abort();
    };
    signal.addEventListener('abort', onAborted, { once: true });
    if (signal.aborted) onAborted();
  }
  return all.signal;
}
