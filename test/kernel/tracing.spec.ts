import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import { failure } from '../../src/kernel/errors.js';
import {
  appendSpanOf,
  spanOfTraceparent,
  streamKind,
  traceIdOf,
} from '../../src/runtime/tracing/command-trace.js';
import { openTracer } from '../../src/runtime/tracing/open-tracer.js';
import { RecordingTracer } from '../../src/runtime/tracing/recording-tracer.js';
import type { FinishedSpan } from '../../src/runtime/tracing/trace-scope.js';
import type { TracedEvent } from '../../src/runtime/tracing/tracer.js';

const [first, second, third] = ['1', '2', '3'].map(
  (digit) => `0190e1d2-0000-7000-8000-00000000000${digit}`,
) as [string, string, string];

interface TakenSpan extends FinishedSpan {
  readonly traceId: string;
}

function recorder(): { readonly tracer: RecordingTracer; readonly taken: TakenSpan[] } {
  const taken: TakenSpan[] = [];
  const tracer = new RecordingTracer({
    take: (traceId, spans) => void taken.push(...spans.map((span) => ({ ...span, traceId }))),
    close: () => Promise.resolve(),
  });
  return { tracer, taken };
}

const answered = { method: 'POST', route: '/api/v1/users', status: 200, error: null };

function command(commandId: string, stream = 'users'): { stream: string; metadata: TracedEvent['metadata'] } {
  return { stream, metadata: { commandId, causationId: null } };
}

function event(commandId: string): TracedEvent {
  return { ...command(commandId), id: `event of ${commandId}`, type: 'UserCreated', position: 7 };
}

describe('A trace', () => {
  it('has the id of its command, and the span of an append follows from command and stream', () => {
    expect(traceIdOf(first)).toBe('0190e1d2000070008000000000000001');
    expect(appendSpanOf(first, 'users')).toEqual(appendSpanOf(first, 'users'));
    expect(appendSpanOf(first, 'users').spanId).toMatch(/^[\da-f]{16}$/);
    expect(appendSpanOf(first, 'users').spanId).not.toBe(appendSpanOf(first, 'user-1').spanId);
  });

  it.each([
    ['users', 'users'],
    ['flags-17', 'flags'],
    ['bot-storage-17', 'bot-storage'],
    ['case-0190e1d2-0000-7000', 'case'],
  ])('names the kind of the stream %s alone', (stream, kind) => {
    expect(streamKind(stream)).toBe(kind);
  });

  it.each([
    '',
    '00-1-2-01',
    `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`,
    `00-${'1'.repeat(32)}-${'0'.repeat(16)}-01`,
  ])('is linked to no caller that names none: %p', (header) => {
    expect(spanOfTraceparent(header)).toBeNull();
  });

  it('of a request is that of its first command; another has its own, linked to the request', async () => {
    const { tracer, taken } = recorder();
    const request = tracer.request(undefined);
    await new Promise<void>((done) => {
      request.run(() => {
        const decide = (id: string): Promise<unknown> =>
          tracer.decision(command(id), () =>
            tracer.append(command(id), () => Promise.resolve({ events: [event(id)] })),
          );
        void decide(first)
          .then(() => decide(second))
          .then(() => done());
      });
    });
    expect(request.end(answered)).toBe(traceIdOf(first));
    const told = taken.map(({ name, traceId, parentSpanId, links }) => ({
      name,
      traceId,
      parentSpanId,
      links,
    }));
    const root = taken.find(({ name }) => name === 'POST /api/v1/users')!;
    const decisions = taken.filter(({ name }) => name === 'decide users');
    const inRequest = { traceId: traceIdOf(first), links: [] };
    const ownDecision = decisions.find(({ traceId }) => traceId === traceIdOf(second))!;
    const firstDecision = decisions.find(({ traceId }) => traceId === traceIdOf(first))!;
    expect(told).toEqual([
      { name: 'append users', traceId: traceIdOf(second), links: [], parentSpanId: ownDecision.spanId },
      {
        name: 'decide users',
        traceId: traceIdOf(second),
        parentSpanId: null,
        links: [{ traceId: traceIdOf(first), spanId: root.spanId }],
      },
      { name: 'append users', ...inRequest, parentSpanId: firstDecision.spanId },
      { name: 'decide users', ...inRequest, parentSpanId: root.spanId },
      { name: 'POST /api/v1/users', ...inRequest, parentSpanId: null },
    ]);
  });

  it('of a request has what is done after the reply as well', async () => {
    const { tracer, taken } = recorder();
    const request = tracer.request(undefined);
    let finish = (): void => undefined;
    const acknowledged = new Promise<void>((resolve) => (finish = resolve));
    const appended = new Promise<void>((done) => {
      request.run(() => {
        void tracer
          .append(command(first), () => acknowledged.then(() => ({ events: [event(first)] })))
          .then(() => done());
      });
    });
    request.end(answered);
    finish();
    await appended;
    const [root, append] = taken;
    expect(append).toMatchObject({
      traceId: traceIdOf(first),
      parentSpanId: root!.spanId,
      name: 'append users',
    });
  });

  it('goes on where one append is applied; of several, each is linked', async () => {
    const { tracer, taken } = recorder();
    await tracer.projection('directory', [event(first)], () => Promise.resolve());
    await tracer.projection('directory', [event(first), event(second), event(third)], () =>
      Promise.resolve(),
    );
    const [alone, together] = taken;
    expect(alone).toMatchObject({
      traceId: traceIdOf(first),
      parentSpanId: appendSpanOf(first, 'users').spanId,
    });
    expect(together).toMatchObject({
      parentSpanId: null,
      links: [first, second, third].map((id) => appendSpanOf(id, 'users')),
    });
    expect([first, second, third].map(traceIdOf)).not.toContain(together!.traceId);
  });

  it('has no more spans than are kept, and says how many are not', async () => {
    const { tracer, taken } = recorder();
    const max = budgets.spansOfTrace.max;
    const request = tracer.request(undefined);
    await new Promise<void>((done) => {
      request.run(() => {
        const steps = Array.from({ length: max + 1 }, () => tracer.step('look', () => Promise.resolve()));
        void Promise.all(steps).then(() => done());
      });
    });
    request.end(answered);
    expect(taken).toHaveLength(max);
    expect(taken.at(-1)).toMatchObject({
      name: 'POST /api/v1/users',
      attributes: { 'palimpsest.spans.cut': 2 },
    });
  });
});

describe('A program that does not trace', () => {
  it('loads none of the libraries for it', async () => {
    expect(await openTracer(null, () => {})).toBeNull();
    const files = (await readdir('src', { recursive: true })).filter((name) => name.endsWith('.ts'));
    const sources = await Promise.all(
      files.map(async (name) => ({ name, text: await readFile(join('src', name), 'utf8') })),
    );
    const importing = (what: RegExp): readonly string[] =>
      sources.filter(({ text }) => what.test(text)).map(({ name }) => name);
    expect(importing(/from '@opentelemetry\//)).toEqual([join('runtime', 'tracing', 'otlp-sink.ts')]);
    expect(importing(/^import (?!type).*otlp-sink\.js'/m)).toEqual([]);
  });
});

describe('What a span records', () => {
  it('of a failure is its kind, never what it says', async () => {
    const { tracer, taken } = recorder();
    const error = Object.assign(new Error('Ada said: hello'), { name: 'DiskFullError' });
    await expect(tracer.append(command(first), () => Promise.reject(error))).rejects.toBe(error);
    const refusal = failure('invalidMessage');
    await expect(tracer.decision(command(second), () => Promise.reject(refusal))).rejects.toBe(refusal);
    expect(taken).toMatchObject([
      { error: 'DiskFullError', attributes: { 'error.type': 'DiskFullError' } },
      // A client's mistake does not count as an error of the server.
      { error: null, attributes: { 'error.type': 'invalidMessage' } },
    ]);
    expect(JSON.stringify(taken)).not.toContain('Ada said');
  });

  it('of a failed append is not under the id of the one that succeeds', async () => {
    const { tracer, taken } = recorder();
    await expect(tracer.append(command(first), () => Promise.reject(new Error('gone')))).rejects.toThrow();
    await tracer.append(command(first), () => Promise.resolve({ events: [event(first)] }));
    const { spanId } = appendSpanOf(first, 'users');
    expect(taken.map((span) => span.spanId === spanId)).toEqual([false, true]);
  });
});
