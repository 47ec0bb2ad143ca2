/** What may import what: see eslint.strata.js. */
export interface Stratum {
  readonly name: string;
  /** Folders, with a slash at their end, and files. */
  readonly paths: readonly string[];
  /** Whether it holds nothing but values and functions that never touch a machine. */
  readonly isPure?: boolean;
  /** Patterns of files that still import what stands above them. */
  readonly exceptions?: readonly string[];
}

export const strata: readonly Stratum[];
export function stratumOf(file: string): number;
export function importsFromAbove(place: number): string;

/** Patterns of files inside contexts that never touch a machine. */
export const pureInContexts: readonly string[];

/** An expression that matches the imports that lint forbids to pure files. */
export const impureImports: string;
