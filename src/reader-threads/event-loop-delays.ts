/** Upper bounds of the buckets in which delays are counted, in seconds. */
export const DELAY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5] as const;

/** How often a thread looks how late it is, in milliseconds. */
const INTERVAL = 20;

/** Counts by bucket, the one above all of them, and the sum of the delays in microseconds. */
const LENGTH = DELAY_BUCKETS.length + 2;
const SUM = LENGTH - 1;

/** Delays as a Prometheus histogram has them. */
export interface CountedDelays {
  /** For each of {@link DELAY_BUCKETS}: how many delays were no longer. */
  readonly upTo: readonly number[];
  readonly count: number;
  /** Seconds. */
  readonly sum: number;
}

/** How late the event loop of a thread gets to what it is to do, in memory that another thread reads. */
export class EventLoopDelays {
  private readonly counters: BigUint64Array;

  /** @param memory made by {@link EventLoopDelays.memory} */
  constructor(memory: SharedArrayBuffer) {
    this.counters = new BigUint64Array(memory);
  }

  /** Room for the counters of one thread, all at 0. */
  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(LENGTH * BigUint64Array.BYTES_PER_ELEMENT);
  }

  /** Counts from now on how late this thread is. Keeps no thread alive. */
  measure(): void {
    let due = performance.now() + INTERVAL;
    const look = (): void => {
      const now = performance.now();
      this.count(Math.max(0, now - due) / 1000);
      due = now + INTERVAL;
      setTimeout(look, INTERVAL).unref();
    };
    setTimeout(look, INTERVAL).unref();
  }

  /** @param seconds that something waited */
  count(seconds: number): void {
    const bucket = DELAY_BUCKETS.findIndex((bound) => seconds <= bound);
    Atomics.add(this.counters, bucket < 0 ? DELAY_BUCKETS.length : bucket, 1n);
    Atomics.add(this.counters, SUM, BigInt(Math.round(seconds * 1_000_000)));
  }

  read(): CountedDelays {
    let count = 0;
    const upTo = DELAY_BUCKETS.map((_bound, bucket) => (count += this.counter(bucket)));
    return { upTo, count: count + this.counter(DELAY_BUCKETS.length), sum: this.counter(SUM) / 1_000_000 };
  }

  private counter(at: number): number {
    return Number(Atomics.load(this.counters, at));
  }
}
