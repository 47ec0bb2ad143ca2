import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { delayBuckets, EventLoopDelays } from '../../src/reader-threads/event-loop-delays.js';
import { watchEventLoops } from '../../src/reader-threads/watch-event-loops.js';

describe('Delays of an event loop', () => {
  it('are counted by bucket in memory that another thread reads', () => {
    const memory = EventLoopDelays.memory();
    for (const seconds of [0, 0.004, 0.004, 0.2, 10]) new EventLoopDelays(memory).count(seconds);
    const { upTo, count, sum } = new EventLoopDelays(memory).read();
    expect(Object.fromEntries(delayBuckets.map((bound, at) => [bound, upTo[at]]))).toMatchObject({
      '0.001': 1,
      '0.005': 3,
      '0.1': 3,
      '0.25': 4,
      '2.5': 4,
    });
    expect(count).toBe(5);
    expect(sum).toBeCloseTo(10.208);
  });

  it('are shown as a histogram', async () => {
    const delays = new EventLoopDelays(EventLoopDelays.memory());
    delays.count(0.02);
    const registry = new Registry();
    watchEventLoops(registry, { request: delays });
    const lines = (await registry.metrics()).split('\n');
    expect(lines).toContain('# TYPE palimpsest_event_loop_delay_seconds histogram');
    expect(lines).toContain('palimpsest_event_loop_delay_seconds_bucket{le="0.01",thread="request"} 0');
    expect(lines).toContain('palimpsest_event_loop_delay_seconds_bucket{le="0.025",thread="request"} 1');
    expect(lines).toContain('palimpsest_event_loop_delay_seconds_bucket{le="+Inf",thread="request"} 1');
    expect(lines).toContain('palimpsest_event_loop_delay_seconds_count{thread="request"} 1');
  });
});
