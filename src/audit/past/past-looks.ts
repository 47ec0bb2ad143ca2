import { ClientGoneError } from '../../http/client-gone.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import type { ToldLife } from '../told-life.js';
import type { View } from './visibility.js';

/** Whose view of which message is wanted. */
export interface ViewsInput {
  readonly messageId: number;
  /** Who could see it, or could not. */
  readonly userId: number;
}

/** The life of a message, and what a person could see of it. */
export interface MessageViews {
  readonly life: ToldLife;
  readonly views: readonly View[];
}

/**
 * Builds the past of a message, off the thread that answers requests.
 *
 * @param signal aborted when nobody waits for the answer any more; it then rejects or resolves as soon as it can
 * @returns null when no message has this id
 */
export type LookIntoPast = (input: ViewsInput, signal: AbortSignal) => Promise<MessageViews | null>;

/** Who looks, and for how long. */
export interface Looker {
  readonly userId: number;
  /** Aborted when the client has gone; null: nobody can tell. */
  readonly gone: AbortSignal | null;
}

/**
 * Lets people look into the past, which is built anew for each look: one look at a time for each person, few for all of them, and
 * none for longer than the budget allows.
 */
export class PastLooks {
  /** When the look of an account is ended at the latest, by the account: milliseconds of `performance.now()`. */
  private readonly running = new Map<number, number>();
  private readonly ended = new Set<Promise<unknown>>();
  private readonly closing = new AbortController();

  constructor(
    private readonly look: LookIntoPast,
    private readonly timeout: number = budgets.pastLookSeconds.max * 1000,
  ) {}

  /**
   * Looks once.
   *
   * @param note called when the look is allowed, before it begins
   * @throws ApplicationError `alreadyLooking`; `unavailable` when too many others look; `queryTimeout`
   * @throws ClientGoneError
   */
  async run(
    { userId, gone }: Looker,
    input: ViewsInput,
    note: () => Promise<void>,
  ): Promise<MessageViews | null> {
    const until = this.running.get(userId);
    if (until !== undefined) {
      const seconds = Math.max(1, Math.ceil((until - performance.now()) / 1000));
      throw failure('alreadyLooking', { 'retry-after': seconds });
    }
    if (this.closing.signal.aborted || this.running.size >= budgets.pastLooks.max)
      throw failure('unavailable');
    this.running.set(userId, performance.now() + this.timeout);
    const timedOut = AbortSignal.timeout(this.timeout);
    const signal = AbortSignal.any([timedOut, this.closing.signal, ...(gone === null ? [] : [gone])]);
    const looking = note().then(() => this.look(input, signal));
    // Its place is taken until it has truly ended, also where nobody waits for it any more.
    const ended = looking.then(
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
    return Promise.race([aborted, looking]);
  }

  /** Ends all looks; resolves when they have ended. */
  async close(): Promise<void> {
    this.closing.abort();
    await Promise.all(this.ended);
  }
}
