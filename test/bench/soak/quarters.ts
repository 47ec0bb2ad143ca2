import { median } from '../support/rounds.js';

/** The server's figures in an interval of the load. */
export interface SoakSample {
  /** Time from the start of the load to the end of the interval. */
  readonly seconds: number;
  /** Resident memory at the end of the interval. */
  readonly megabytes: number;
  /** The time of each request in milliseconds. */
  readonly latencies: readonly number[];
}

/** The figures of a quarter of the run. */
export interface Quarter {
  /** The median of the samples, which evens out garbage collection. */
  readonly megabytes: number;
  /** The 99th percentile of the request times, in milliseconds. */
  readonly p99: number;
}

/** The ratio of the last quarter to the second. The first quarter is for warming up. */
export interface Growth {
  readonly megabytes: number;
  readonly p99: number;
}

/**
 * The growth that counts as flat. The latency's bound is wider, because a 99th percentile depends on few requests
 * and varies more on a busy machine.
 */
const FLAT: Growth = { megabytes: 1.15, p99: 1.5 };

/** The second and the last quarter of a run, by time. @throws Error when there are too few samples */
export function quartersOf(samples: readonly SoakSample[]): {
  readonly second: Quarter;
  readonly last: Quarter;
} {
  const whole = samples.at(-1)?.seconds ?? 0;
  const between = (from: number, to: number): Quarter =>
    quarterOf(samples.filter(({ seconds }) => seconds > from * whole && seconds <= to * whole));
  return { second: between(0.25, 0.5), last: between(0.75, 1) };
}

/** The growth from the second to the last quarter. */
export function growthOf(samples: readonly SoakSample[]): Growth {
  const { second, last } = quartersOf(samples);
  return { megabytes: last.megabytes / second.megabytes, p99: last.p99 / second.p99 };
}

/** Factors for the part of the growth above 1 that counts as flat. */
export interface Tolerances {
  readonly memory: number;
  readonly latency: number;
}

/** The growth that counts as flat. */
export function allowedGrowth({ memory, latency }: Tolerances): Growth {
  const allowed = (bound: number, tolerance: number): number => 1 + (bound - 1) * tolerance;
  return { megabytes: allowed(FLAT.megabytes, memory), p99: allowed(FLAT.p99, latency) };
}

/** Whether the growth of memory and latency is within the bounds. */
export function isFlat(growth: Growth, tolerances: Tolerances): boolean {
  const allowed = allowedGrowth(tolerances);
  return growth.megabytes <= allowed.megabytes && growth.p99 <= allowed.p99;
}

/** A percentile of request times, in milliseconds. */
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
