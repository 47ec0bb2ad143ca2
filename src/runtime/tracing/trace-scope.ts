import { randomBytes } from 'node:crypto';
import { budgets } from '../../kernel/budgets.js';
import type { SpanIds } from './command-trace.js';

/** Who is at the other end of what a span records, in OpenTelemetry's words. */
export type SpanRole = 'server' | 'internal' | 'producer' | 'consumer';

/** What a span says beside its name and time. */
export type SpanAttributes = Readonly<Record<string, string | number | readonly string[]>>;

/** A span that has ended. */
export interface FinishedSpan {
  readonly name: string;
  readonly role: SpanRole;
  readonly spanId: string;
  /** Null: it is the first of its trace. */
  readonly parentSpanId: string | null;
  readonly links: readonly SpanIds[];
  readonly attributes: SpanAttributes;
  /** Milliseconds since the UNIX epoch, with fractions. */
  readonly begun: number;
  readonly ended: number;
  /** The kind of error that it ended with; null: none. */
  readonly error: string | null;
}

/** How a trace begins. */
export interface TraceBeginning {
  /** Null: the first command that is met gives it. */
  readonly traceId: string | null;
  /** The span, recorded elsewhere, that the first one here is part of; null: it is part of none. */
  readonly parentSpanId: string | null;
  /** What the first span comes of beside it. */
  readonly links: readonly SpanIds[];
}

/** 16 hexadecimal digits. */
export function randomSpanId(): string {
  return randomBytes(8).toString('hex');
}

/** What one request, reaction or command records here of its trace, until it ends: only then is it known which trace it is. */
export class TraceScope {
  readonly parentSpanId: string | null;
  readonly links: readonly SpanIds[];
  private readonly finished: FinishedSpan[] = [];
  private knownTraceId: string | null;
  private cut = 0;
  private hasEnded = false;

  constructor({ traceId, parentSpanId, links }: TraceBeginning) {
    this.knownTraceId = traceId;
    this.parentSpanId = parentSpanId;
    this.links = links;
  }

  get isOpen(): boolean {
    return !this.hasEnded;
  }

  /** Whether a trace is this one: it is if none was known before. */
  isOf(traceId: string): boolean {
    this.knownTraceId ??= traceId;
    return this.knownTraceId === traceId;
  }

  /** The id of the trace; made by this call where none was known. */
  get traceId(): string {
    return (this.knownTraceId ??= randomBytes(16).toString('hex'));
  }

  /** Keeps a span, unless there are as many as are kept. */
  add(span: FinishedSpan): void {
    if (this.finished.length < budgets.spansOfTrace.max - 1) this.finished.push(span);
    else this.cut += 1;
  }

  /** Ends the scope with its own span, which is always kept. */
  end(span: FinishedSpan): readonly FinishedSpan[] {
    this.hasEnded = true;
    const attributes =
      this.cut > 0 ? { ...span.attributes, 'palimpsest.spans.cut': this.cut } : span.attributes;
    return [...this.finished, { ...span, attributes }];
  }
}
