import { Counter, type Registry } from 'prom-client';
import type { Logger } from '../../projections/engine/logger.js';
import { withinTime } from '../runtime/within-time.js';

/** How long a reply with metrics waits for one figure: a scraper gives up after some seconds, and then has no figure at all. */
const TIMEOUT_MILLISECONDS = 1_000;

/**
 * Reads the figures that are outside of the process's memory when metrics are requested. A store that hangs or fails delays the reply by a
 * second at most, and only its own figures are missing.
 */
export class MetricReader {
  private readonly running = new Map<string, Promise<unknown>>();
  private readonly unread: Counter<'metric'>;

  constructor(
    registry: Registry,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {
    this.unread = new Counter({
      name: 'palimpsest_metrics_unread_total',
      help: 'How often a metric was left out because it could not be read in time, by the name of the metric',
      labelNames: ['metric'],
      registers: [registry],
    });
  }

  /**
   * Reads a metric's figure. A reading that takes longer is waited for again by the next request, so that readings do not pile up.
   *
   * @returns undefined: it could not be read, which is counted and logged
   */
  async read<Value>(metric: string, reading: () => Promise<Value> | Value): Promise<Value | undefined> {
    // Present from the first request on, so that the first failure is an increase.
    this.unread.inc({ metric }, 0);
    const late = (): Error => new Error(`It was not read within ${TIMEOUT_MILLISECONDS} ms`);
    try {
      return await withinTime(() => this.once(metric, reading), TIMEOUT_MILLISECONDS, late);
    } catch (error) {
      this.unread.inc({ metric });
      this.logger.warn({ metric, error: String(error) }, 'A metric could not be read');
      return undefined;
    }
  }

  private once<Value>(metric: string, reading: () => Promise<Value> | Value): Promise<Value> {
    const running = this.running.get(metric) as Promise<Value> | undefined;
    if (running !== undefined) return running;
    const begun = Promise.resolve()
      .then(reading)
      .finally(() => this.running.delete(metric));
    this.running.set(metric, begun);
    return begun;
  }
}
