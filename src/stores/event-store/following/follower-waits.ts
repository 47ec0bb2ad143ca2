interface Wait<Awaited, Result> {
  readonly awaited: Awaited;
  readonly signal: AbortSignal;
  readonly end: (result: Result) => void;
}

/**
 * Followers of the log that wait for new events, until their signals are aborted. With every event most of them end their wait and begin
 * another one. So they stand in an array, because the tables of a set that changes so often refer to each other, and the garbage collector
 * keeps what waited until its next full collection; and each signal is listened to once, however often its follower waits.
 */
export class FollowerWaits<Awaited, Result> {
  #waits: Wait<Awaited, Result>[] = [];
  readonly #heard = new WeakSet<AbortSignal>();

  /** @param aborted the result of a wait whose signal is aborted */
  constructor(private readonly aborted: Result) {}

  begin(signal: AbortSignal, awaited: Awaited): Promise<Result> {
    if (signal.aborted) return Promise.resolve(this.aborted);
    this.#hear(signal);
    return new Promise((end) => this.#waits.push({ awaited, signal, end }));
  }

  /** @param isConcerned whose waits end; absent: those of all */
  end(result: Result, isConcerned: (awaited: Awaited) => boolean = () => true): void {
    this.#end(result, ({ awaited }) => isConcerned(awaited));
  }

  #hear(signal: AbortSignal): void {
    if (this.#heard.has(signal)) return;
    this.#heard.add(signal);
    signal.addEventListener('abort', () => this.#end(this.aborted, (wait) => wait.signal === signal), {
      once: true,
    });
  }

  #end(result: Result, isConcerned: (wait: Wait<Awaited, Result>) => boolean): void {
    const waits = this.#waits;
    this.#waits = [];
    for (const wait of waits) {
      if (isConcerned(wait)) wait.end(result);
      else this.#waits.push(wait);
    }
  }
}
