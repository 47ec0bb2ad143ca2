/** What may import what: see eslint.strata.js. */
export interface Stratum {
  readonly name: string;
  /** Folders, with a slash at their end, and files. */
  readonly paths: readonly string[];
  /** Whether it holds nothing but values and functions that never touch a machine. */
  readonly isPure?: boolean;
  /** Its files that are not, as patterns; absent: none. */
  readonly impure?: readonly string[];
}

export const strata: readonly Stratum[];
export function stratumOf(file: string): number;
export function importsFromAbove(place: number): string;

/** Patterns of files inside contexts that never touch a machine. */
export const pureInContexts: readonly string[];

/** An expression that matches the imports that lint forbids to pure files. */
export const impureImports: string;

/** Clocks and sources of chance that lint forbids to pure files. */
export const clocksAndChance: readonly (readonly [object: string, property: string])[];
