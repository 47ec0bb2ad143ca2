import { median } from '../support/rounds.js';

/** How a server stood a stretch of the load. */
export interface SoakSample {
  /** From the beginning of the load to the end of the stretch. */
  readonly seconds: number;
  /** Resident memory at its end. */
  readonly megabytes: number;
  /** Milliseconds that each request took. */
  readonly latencies: readonly number[];
}

/** What a quarter of the run came to. */
export interface Quarter {
  /** Median of its samples: garbage comes and goes. */
  readonly megabytes: number;
  /** Milliseconds that all but one request of a hundred took at most. */
  readonly p99: number;
}

/** So many times as much as in the second quarter may it be in the last: the first warms up. */
export interface Growth {
  readonly megabytes: number;
  readonly p99: number;
}

/** What is taken for flat. A tail is made of few requests: on a busy machine it wavers more than memory does. */
export const FLAT: Growth = { megabytes: 1.15, p99: 1.5 };

/** The second and the last quarter of a run, by its time. @throws Error when there are too few samples to tell */
export function quartersOf(samples: readonly SoakSample[]): {
  readonly second: Quarter;
  readonly last: Quarter;
} {
  const whole = samples.at(-1)?.seconds ?? 0;
  const between = (from: number, to: number): Quarter =>
    quarterOf(samples.filter(({ seconds }) => seconds > from * whole && seconds <= to * whole));
  return { second: between(0.25, 0.5), last: between(0.75, 1) };
}

/** How much more the last quarter took than the second. */
export function growthOf(samples: readonly SoakSample[]): Growth {
  const { second, last } = quartersOf(samples);
  return { megabytes: last.megabytes / second.megabytes, p99: last.p99 / second.p99 };
}

/** Whether neither memory nor latency grew by more than is allowed. @param tolerance so many times as much is allowed */
export function isFlat(growth: Growth, tolerance: number): boolean {
  const allowed = (bound: number): number => 1 + (bound - 1) * tolerance;
  return growth.megabytes <= allowed(FLAT.megabytes) && growth.p99 <= allowed(FLAT.p99);
}

/** Milliseconds that a share of requests took at most. */
export function percentile(latencies: readonly number[], share: number): number {
  const sorted = latencies.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}

function quarterOf(samples: readonly SoakSample[]): Quarter {
  const latencies = samples.flatMap((sample) => sample.latencies);
  if (latencies.length === 0) throw new Error('The run was too short: a quarter of it has no requests');
  return {
    megabytes: median(samples.map(({ megabytes }) => megabytes)),
    p99: percentile(latencies, 0.99),
  };
}
