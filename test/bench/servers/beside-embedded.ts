import { quantity, spreadOf, type Measurement } from '../measurement.js';
import { median, medianRatio, type Samples } from '../support/rounds.js';

/** What the two sides of a comparison came to, sampled in the same rounds. */
export interface BothSides {
  readonly embedded: Samples;
  readonly servers: Samples;
}

/** Rates, or durations in `s` or `ms`, beside those on embedded stores; the ratio is 1 where both are as fast, and less where servers are slower. */
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
