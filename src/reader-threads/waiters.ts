import { ClientGoneError } from '../http/client-gone.js';
import { failure } from '../kernel/errors.js';

/** What {@link Waiters} need. */
interface WaitersOptions {
  /** In milliseconds: a waiter is refused when the task has not started by then. */
  readonly timeout: number;
  /**
   * Called when a waiter of a task that has not started leaves.
   *
   * @param waited in seconds
   * @param areLeft whether other waiters remain
   */
  onLeave(waited: number, areLeft: boolean): void;
}

interface Waiter<Answer> {
  readonly since: number;
  /** Aborted when the client has disconnected; null: there is no client. */
  readonly signal: AbortSignal | null;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  /** Removes the timer and the listener that make the waiter leave before the task starts. */
  unwatch: () => void;
}

/** Those who wait for the result of one task, each with a client of its own. */
export class Waiters<Answer> {
  private readonly waiters = new Set<Waiter<Answer>>();

  constructor(private readonly options: WaitersOptions) {}

  /** @throws ApplicationError `queryTimeout`; ClientGoneError; the error of the task */
  join(signal: AbortSignal | null): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const waiter = { since: performance.now(), signal, resolve, reject, unwatch: () => {} };
      this.waiters.add(waiter);
      this.watch(waiter);
    });
  }

  /** When the first of them joined, by the monotonic clock. */
  get since(): number {
    return Math.min(...[...this.waiters].map(({ since }) => since));
  }

  /**
   * Must be called when the task starts: waiters no longer leave.
   *
   * @returns aborted once all of their clients have disconnected; null: at least one waiter has no client
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

  /** Rejects all waiters, because the task exceeded its timeout or was cancelled. */
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
