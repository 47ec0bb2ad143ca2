import { randomBytes } from 'node:crypto';
import { budgets } from '../../kernel/budgets.js';
import type { SpanIds } from './command-trace.js';

/** The role of a span towards its remote side, in OpenTelemetry's terms. */
export type SpanRole = 'server' | 'internal' | 'producer' | 'consumer';

/** The attributes of a span. */
export type SpanAttributes = Readonly<Record<string, string | number | readonly string[]>>;

/** A finished span. */
export interface FinishedSpan {
  readonly name: string;
  readonly role: SpanRole;
  readonly spanId: string;
  /** Null: it is the root of its trace. */
  readonly parentSpanId: string | null;
  readonly links: readonly SpanIds[];
  readonly attributes: SpanAttributes;
  /** Milliseconds since the UNIX epoch, with fractions. */
  readonly begun: number;
  readonly ended: number;
  /** The kind of error that ended it; null: it succeeded. */
  readonly error: string | null;
}

/** How a trace begins. */
export interface TraceBeginning {
  /** Null: the first command determines it. */
  readonly traceId: string | null;
  /** The parent of the first span, which another process or thread recorded; null: there is none. */
  readonly parentSpanId: string | null;
  /** Further spans that caused the first one. */
  readonly links: readonly SpanIds[];
}

/** 16 hexadecimal digits. */
export function randomSpanId(): string {
  return randomBytes(8).toString('hex');
}

/** The spans of one request, reaction or command. They are kept until it ends, because only then is its trace id known. */
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

  /** Whether this is the trace with that id: true if no id was known before, and then it gets that one. */
  isOf(traceId: string): boolean {
    this.knownTraceId ??= traceId;
    return this.knownTraceId === traceId;
  }

  /** The trace id. If none is known yet, a random one is chosen. */
  get traceId(): string {
    return (this.knownTraceId ??= randomBytes(16).toString('hex'));
  }

  /** Adds a span, unless the limit is reached. */
  add(span: FinishedSpan): void {
    if (this.finished.length < budgets.spansOfTrace.max - 1) this.finished.push(span);
    else this.cut += 1;
  }

  /** Ends the scope with its root span, which is always kept. */
  end(span: FinishedSpan): readonly FinishedSpan[] {
    this.hasEnded = true;
    const attributes =
      this.cut > 0 ? { ...span.attributes, 'palimpsest.spans.cut': this.cut } : span.attributes;
    return [...this.finished, { ...span, attributes }];
  }
}
