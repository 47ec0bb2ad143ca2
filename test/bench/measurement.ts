import { median, medianRatio, type Samples } from './support/rounds.js';

/** What a ratio is to reach. */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

/** One line of the table: what the product does, beside what it cannot do without. */
export interface Measurement {
  readonly what: string;
  /** With its unit. */
  readonly ours: string;
  /** What it stands beside, and how that did; null: a figure that speaks for itself. */
  readonly beside: { readonly what: string; readonly result: string } | null;
  readonly ratio: number;
  /** Null: for information. */
  readonly target: Target | null;
  /** How much was done, and how durably. */
  readonly work: string;
}

/** How much is measured: everything, or just enough to see that it runs. */
export interface Size {
  readonly quick: boolean;
}

/** A part of the benchmark that can be run by itself. */
export interface BenchRow {
  readonly name: string;
  measure(size: Size): Promise<readonly Measurement[]>;
}

/** Whether a ratio is what it should be; null where there is no target. */
export function reaches({ ratio, target }: Measurement): boolean | null {
  if (target === null) return null;
  return 'atLeast' in target ? ratio >= target.atLeast : ratio <= target.atMost;
}

/** The same with a target that is so many times as easy to reach: for machines that do other things beside. */
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

/** How far samples lie apart: ` (lowest to highest)`; empty for one alone. */
export function spreadOf(samples: Samples): string {
  if (samples.length < 2) return '';
  const [lowest, highest] = [Math.min(...samples), Math.max(...samples)];
  return ` (${spreadNumbers.format(lowest)} to ${spreadNumbers.format(highest)})`;
}

const spreadNumbers = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** Ours beside theirs, sampled in the same rounds: what the columns of the table hold, medians with how far they lie apart. */
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
