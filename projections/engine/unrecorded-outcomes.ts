import { LRUCache } from 'lru-cache';

/** An effect on the outside world, and how its outcome is recorded. */
interface Effect<Outcome> {
  /** Null: there was no effect yet. */
  perform(this: void): Promise<Outcome | null>;
  /** Repeated until it succeeds, so it must not record twice. */
  record(this: void, outcome: Outcome): Promise<void>;
}

/**
 * Outcomes of effects that could not be recorded yet. While the log can be read but not written, because its disk is full say, each attempt
 * would repeat the effect. It is kept here that there was one, so that the next attempt only records it. In a crash this is lost, and the
 * effect is repeated once.
 */
export class UnrecordedOutcomes<Outcome extends object> {
  private readonly kept: LRUCache<string, Outcome>;

  /** @param max how many are kept, so that memory is bounded */
  constructor(max: number) {
    this.kept = new LRUCache({ max });
  }

  /**
   * Performs an effect and records its outcome, or records the outcome of an earlier attempt.
   *
   * @param key identifies the effect; if it may be due again after its outcome was recorded, then with another key
   * @throws what the effect throws
   */
  async complete(key: string, { perform, record }: Effect<Outcome>): Promise<Outcome | null> {
    const outcome = this.kept.get(key) ?? (await perform());
    if (outcome === null) return null;
    this.kept.set(key, outcome);
    await record(outcome);
    this.kept.delete(key);
    return outcome;
  }
}
