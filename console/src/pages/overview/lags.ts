import type { Figures } from './use-overview.js';

/** A line of a chart: what it is called, and the name of its figures. */
export type NamedLine = readonly [label: string, figure: string];

/** In seconds. A lag of at least this length gets its own line: every reactor lags a little at some moment. */
const LAGGED = 1;

/** The name of the figures that {@link lagsOf} adds. */
const REST = 'rest';

/**
 * The lines of all that lagged within the figures, by name, and one for the rest: the highest of their lags at each moment.
 *
 * @param prefix what the names of the figures begin with
 */
export function lagsOf(
  { at, figures }: Figures,
  prefix: string,
): { readonly lines: readonly NamedLine[]; readonly figures: Figures } {
  const names = Object.keys(figures).filter((name) => name.startsWith(prefix));
  const hasLagged = (name: string): boolean => figures[name]!.some((value) => (value ?? 0) >= LAGGED);
  const lagged = names.filter(hasLagged).sort();
  const others = names.filter((name) => !hasLagged(name));
  const lines = lagged.map((name) => [name.slice(prefix.length), name] as const);
  if (lagged.length > 0 && others.length === 0) return { lines, figures: { at, figures } };
  const rest = at.map((_, index) => highest(others.map((name) => figures[name]![index] ?? null)));
  const label = lagged.length === 0 ? 'the highest of all' : 'the highest of the others';
  return { lines: [...lines, [label, REST]], figures: { at, figures: { ...figures, [REST]: rest } } };
}

/** Null: none is known. */
function highest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}
