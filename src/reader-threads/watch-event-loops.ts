import {
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValueWithName,
  type Registry,
} from 'prom-client';
import { delayBuckets, type EventLoopDelays } from './event-loop-delays.js';

const description = {
  name: 'palimpsest_event_loop_delay_seconds',
  help: 'How late the event loop of a thread gets to what it is to do: the request thread, the projector, the readers together',
};

/** A histogram of delays that threads count in shared memory. The values of the library's own histograms cannot be set; those of a gauge can. */
class CountedHistogram extends Gauge<'thread'> {
  private readonly like = new Histogram({ ...description, registers: [] });

  constructor(
    registry: Registry,
    private readonly threads: Readonly<Record<string, EventLoopDelays>>,
  ) {
    super({ ...description, labelNames: ['thread'], registers: [registry] });
  }

  override async get(): Promise<MetricObjectWithValues<MetricValueWithName<'thread'>>> {
    const { type } = await this.like.get();
    const values = Object.entries(this.threads).flatMap(([thread, delays]) => valuesOf(thread, delays));
    return { ...(await super.get()), type, values };
  }
}

/** Registers the delays of the threads' event loops, by the threads' names. */
export function watchEventLoops(
  registry: Registry,
  threads: Readonly<Record<string, EventLoopDelays>>,
): void {
  new CountedHistogram(registry, threads);
}

function valuesOf(thread: string, delays: EventLoopDelays): MetricValueWithName<'thread'>[] {
  const { upTo, count, sum } = delays.read();
  const value = (suffix: string, labels: object, counted: number): MetricValueWithName<'thread'> => ({
    metricName: `${description.name}_${suffix}`,
    labels: { ...labels, thread },
    value: counted,
  });
  return [
    ...delayBuckets.map((le, bucket) => value('bucket', { le }, upTo[bucket] ?? 0)),
    value('bucket', { le: '+Inf' }, count),
    value('sum', {}, sum),
    value('count', {}, count),
  ];
}
