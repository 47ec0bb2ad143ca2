import { quantity, spreadOf, type Measurement } from '../measurement.js';
import { median, medianRatio, type Samples } from '../support/rounds.js';

/** The samples of both sides of a comparison, from the same rounds. */
export interface BothSides {
  readonly embedded: Samples;
  readonly servers: Samples;
}

/**
 * Rates, or durations in `s` or `ms`, compared to embedded stores. The ratio is 1 if both are equally fast, and
 * smaller if servers are slower.
 */
export function besideEmbedded(
  what: string,
  { embedded, servers }: BothSides,
  unit: string,
): Pick<Measurement, 'what' | 'ours' | 'beside' | 'ratio'> {
  const isDuration = unit === 's' || unit === 'ms';
  const cell = (samples: Samples): string => `${quantity(median(samples), unit)}${spreadOf(samples)}`;
  return {
    what,
    ours: cell(servers),
    beside: { what: 'embedded', result: cell(embedded) },
    ratio: isDuration ? medianRatio(embedded, servers) : medianRatio(servers, embedded),
  };
}
