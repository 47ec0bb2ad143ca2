import { median, medianRatio, type Samples } from './support/rounds.js';

/** The target of a ratio. */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

/** One line of the table: a figure of the product and its baseline. */
export interface Measurement {
  readonly what: string;
  /** Includes the unit. */
  readonly ours: string;
  /** The baseline and its figure; null: there is no baseline. */
  readonly beside: { readonly what: string; readonly result: string } | null;
  readonly ratio: number;
  /** Null: for information only. */
  readonly target: Target | null;
  /** What was measured: the amount, the load, and the durability. */
  readonly work: string;
}

/** How much is measured: everything, or only enough to see that the benchmark runs. */
export interface Size {
  readonly quick: boolean;
}

/** A part of the benchmark that can be run separately. */
export interface BenchRow {
  readonly name: string;
  measure(size: Size): Promise<readonly Measurement[]>;
}

/** Whether a ratio reaches its target; null: no target. */
export function reaches({ ratio, target }: Measurement): boolean | null {
  if (target === null) return null;
  return 'atLeast' in target ? ratio >= target.atLeast : ratio <= target.atMost;
}

/** The measurement with its target made easier by a factor, for machines that are busy. */
export function tolerant(measurement: Measurement, tolerance: number): Measurement {
  const { target } = measurement;
  if (target === null) return measurement;
  const easier =
    'atLeast' in target
      ? { atLeast: rounded(target.atLeast / tolerance) }
      : { atMost: rounded(target.atMost * tolerance) };
  return { ...measurement, target: easier };
}

const rounded = (bound: number): number => Number(bound.toPrecision(2));

const numbers = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });

/** A number with its unit, such as `12,340 sends/s`. */
export function quantity(value: number, unit: string): string {
  return `${numbers.format(value)} ${unit}`;
}

/** The range of samples, ` (lowest to highest)`; empty for a single sample. */
export function spreadOf(samples: Samples): string {
  if (samples.length < 2) return '';
  const [lowest, highest] = [Math.min(...samples), Math.max(...samples)];
  return ` (${spreadNumbers.format(lowest)} to ${spreadNumbers.format(highest)})`;
}

const spreadNumbers = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/**
 * Columns of the table for the product and a baseline that were sampled in the same rounds: medians with their
 * ranges.
 */
export function besides(
  ours: Samples,
  theirs: { readonly what: string; readonly samples: Samples },
  units: { readonly ours: string; readonly theirs: string },
): Pick<Measurement, 'ours' | 'beside' | 'ratio'> {
  return {
    ours: `${quantity(median(ours), units.ours)}${spreadOf(ours)}`,
    beside: {
      what: theirs.what,
      result: `${quantity(median(theirs.samples), units.theirs)}${spreadOf(theirs.samples)}`,
    },
    ratio: medianRatio(ours, theirs.samples),
  };
}
