import { setTimeout as after } from 'node:timers/promises';
import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type IdGenerator,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import { budgets } from '../../kernel/budgets.js';
import type { SpanIds } from './command-trace.js';
import type { SpanSink } from './recording-tracer.js';
import type { TracingOptions, WarnOfLoss } from './tracer.js';
import type { FinishedSpan, SpanRole } from './trace-scope.js';

/** Milliseconds for which spans are collected into one export. */
const GATHERING = 1_000;
/** Timeout of one export in milliseconds, retries included. */
const EXPORTING = 5_000;
const CLOSING = 2_000;
const BETWEEN_WARNINGS = 60_000;

const kinds: Readonly<Record<SpanRole, SpanKind>> = {
  server: SpanKind.SERVER,
  internal: SpanKind.INTERNAL,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/** Spans are created after they have ended, with ids that are already known: this makes the library use those ids. */
class GivenIds implements IdGenerator {
  next: SpanIds = { traceId: '', spanId: '' };
  readonly generateTraceId = (): string => this.next.traceId;
  readonly generateSpanId = (): string => this.next.spanId;
}

/** Sends spans to a collector as OTLP JSON over HTTP. If the collector is slow, only a queue of limited length is affected. */
export class OtlpSink implements SpanSink {
  private readonly ids = new GivenIds();
  private readonly provider: TracerProvider;
  private warned = -Infinity;

  constructor(
    { endpoint, headers, serviceName, share }: TracingOptions,
    private readonly warn: WarnOfLoss,
  ) {
    const exporter = new OTLPTraceExporter({
      url: `${endpoint}/v1/traces`,
      headers,
      timeoutMillis: EXPORTING,
    });
    // The library's diagnostic log is the only way to learn of dropped spans.
    const silent = (): void => {};
    const listener = {
      verbose: silent,
      debug: silent,
      info: silent,
      error: silent,
      warn: (message: string) => this.lost(message),
    };
    diag.setLogger(listener, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
    this.provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': serviceName }),
      sampler: new TraceIdRatioBasedSampler(share),
      idGenerator: this.ids,
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: this.watched(exporter),
          maxQueueSize: budgets.spansWaiting.max,
          scheduledDelayMillis: GATHERING,
          exportTimeoutMillis: EXPORTING,
        }),
      ],
    });
  }

  take(traceId: string, spans: readonly FinishedSpan[]): void {
    const tracer = this.provider.getTracer('palimpsest');
    for (const span of spans) {
      const { name, role, spanId, parentSpanId, attributes, links, begun, ended, error } = span;
      this.ids.next = { traceId, spanId };
      const parent = parentSpanId === null ? null : contextOf({ traceId, spanId: parentSpanId });
      const made = tracer.startSpan(
        name,
        {
          kind: kinds[role],
          startTime: begun,
          attributes: { ...attributes } as Record<string, string | number | string[]>,
          links: links.map((one) => ({ context: contextOf(one) })),
        },
        parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent),
      );
      if (error !== null) made.setStatus({ code: SpanStatusCode.ERROR, message: error });
      made.end(ended);
    }
  }

  async close(): Promise<void> {
    const shutDown = this.provider.shutdown().catch((error: unknown) => this.lost(String(error)));
    await Promise.race([shutDown, after(CLOSING, undefined, { ref: false })]);
  }

  private watched(exporter: SpanExporter): SpanExporter {
    return {
      export: (spans, done) =>
        exporter.export(spans, (result) => {
          if (result.error !== undefined) this.lost(result.error.message);
          done(result);
        }),
      shutdown: () => exporter.shutdown(),
    };
  }

  private lost(reason: string): void {
    if (performance.now() - this.warned < BETWEEN_WARNINGS) return;
    this.warned = performance.now();
    this.warn(reason);
  }
}

function contextOf(ids: SpanIds): SpanIds & { readonly traceFlags: TraceFlags; readonly isRemote: boolean } {
  return { ...ids, traceFlags: TraceFlags.SAMPLED, isRemote: true };
}
