/** Upper bounds of the buckets in which delays are counted, in seconds. */
export const delayBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5] as const;

/** How often a thread measures its delay, in milliseconds. */
const INTERVAL = 20;

/** The buckets, the one above all of them, and the sum of the delays in microseconds. */
const LENGTH = delayBuckets.length + 2;
const SUM = LENGTH - 1;

/** Delays in the form of a Prometheus histogram. */
export interface CountedDelays {
  /** For each of {@link delayBuckets}: the number of delays that were not longer. */
  readonly upTo: readonly number[];
  readonly count: number;
  /** Seconds. */
  readonly sum: number;
}

/** Measures the delays of a thread's event loop, in memory that another thread reads. */
export class EventLoopDelays {
  private readonly counters: BigUint64Array;

  /** @param memory made by {@link EventLoopDelays.memory} */
  constructor(memory: SharedArrayBuffer) {
    this.counters = new BigUint64Array(memory);
  }

  /** Memory for the counters of one thread, all 0. */
  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(LENGTH * BigUint64Array.BYTES_PER_ELEMENT);
  }

  /** Begins to measure the delays of this thread. The timer does not keep the process running. */
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

  /** @param seconds of one delay */
  count(seconds: number): void {
    const bucket = delayBuckets.findIndex((bound) => seconds <= bound);
    Atomics.add(this.counters, bucket < 0 ? delayBuckets.length : bucket, 1n);
    Atomics.add(this.counters, SUM, BigInt(Math.round(seconds * 1_000_000)));
  }

  read(): CountedDelays {
    let count = 0;
    const upTo = delayBuckets.map((_bound, bucket) => (count += this.counter(bucket)));
    return { upTo, count: count + this.counter(delayBuckets.length), sum: this.counter(SUM) / 1_000_000 };
  }

  private counter(at: number): number {
    return Number(Atomics.load(this.counters, at));
  }
}
