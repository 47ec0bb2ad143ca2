import { hash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import { OtlpSink } from '../../src/runtime/tracing/otlp-sink.js';
import { randomSpanId, type FinishedSpan } from '../../src/runtime/tracing/trace-scope.js';
import { eventually } from '../support/eventually.js';
import { OtlpReceiver } from '../support/otlp-receiver.js';

/** As many as the library sends at once: the first of them are under way while others wait. */
const sentAtOnce = 512;

let receiver: OtlpReceiver;

beforeEach(async () => {
  receiver = await OtlpReceiver.start();
});

afterEach(() => receiver.stop());

function spans(count: number): readonly FinishedSpan[] {
  const [name, role, begun, ended] = [
    'decide users',
    'internal',
    1_700_000_000_000.25,
    1_700_000_000_001,
  ] as const;
  const span = { name, role, parentSpanId: null, links: [], attributes: {}, begun, ended, error: null };
  return Array.from({ length: count }, () => ({ ...span, spanId: randomSpanId() }));
}

function sinkTo({ url }: OtlpReceiver, share = 1): { sink: OtlpSink; warnings: readonly string[] } {
  const warnings: string[] = [];
  const options = { endpoint: url, headers: {}, serviceName: 'looms', share };
  return { sink: new OtlpSink(options, (reason) => warnings.push(reason)), warnings };
}

describe('What waits for the collector', () => {
  it('is bounded: further spans are dropped, and that is logged', async () => {
    receiver.hold();
    const { sink, warnings } = sinkTo(receiver);
    const max = budgets.spansWaiting.max;
    sink.take('a'.repeat(32), spans(sentAtOnce + max + 1));
    receiver.release();
    await eventually(
      () => Promise.resolve(receiver.spans.length),
      (count) => count >= sentAtOnce + max,
    );
    sink.take('b'.repeat(32), spans(1));
    await sink.close();
    expect(receiver.spans).toHaveLength(sentAtOnce + max + 1);
    expect(receiver.trace('b'.repeat(32))).toHaveLength(1);
    expect(warnings).toEqual(['Dropped 1 spans because maxQueueSize reached']);
  });

  it('is sent before the program ends, with the times to fractions of a millisecond', async () => {
    const { sink } = sinkTo(receiver);
    sink.take('c'.repeat(32), spans(1));
    await sink.close();
    expect(receiver.spans).toMatchObject([
      { service: 'looms', startTimeUnixNano: '1700000000000250000', endTimeUnixNano: '1700000000001000000' },
    ]);
  });
});

describe('A share of the traces', () => {
  it('is the same in every process', async () => {
    const ids = Array.from({ length: 200 }, (_, index) => hash('sha256', String(index)).slice(0, 32));
    const chosen = async (): Promise<readonly string[]> => {
      receiver.spans.length = 0;
      const { sink } = sinkTo(receiver, 0.5);
      for (const id of ids) sink.take(id, spans(1));
      await sink.close();
      return receiver.spans.map(({ traceId }) => traceId);
    };
    const first = await chosen();
    expect(first.length).toBeGreaterThan(0);
    expect(first.length).toBeLessThan(ids.length);
    expect(await chosen()).toEqual(first);
  });
});
