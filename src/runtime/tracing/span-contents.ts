import { ApplicationError } from '../../kernel/errors.js';
import { appendSpanOf, streamKind, type SpanIds } from './command-trace.js';
import type { FinishedSpan, SpanAttributes, TraceBeginning } from './trace-scope.js';
import type { AnsweredRequest, TracedCommand, TracedEvent } from './tracer.js';

/** Ids of events that a span names; the rest is only counted. */
const NAMED_EVENTS = 100;

/** Of an answered request. */
export function requestSpan({
  method,
  route,
  status,
  error,
}: AnsweredRequest): Pick<FinishedSpan, 'name' | 'role' | 'attributes' | 'error'> {
  const attributes = {
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    ...(error !== null && { 'error.type': error }),
  };
  // As OpenTelemetry has it, what a client did wrong is no error of the server's span.
  return {
    name: `${method} ${route}`,
    role: 'server',
    attributes,
    error: status >= 500 ? (error ?? 'error') : null,
  };
}

/** Of what a command does. */
export function commandAttributes({ stream, metadata }: TracedCommand): SpanAttributes {
  const { commandId, causationId } = metadata;
  return {
    'palimpsest.stream.kind': streamKind(stream),
    'palimpsest.command.id': commandId,
    ...(causationId !== null && { 'palimpsest.causation.id': causationId }),
  };
}

/** Of events that were appended or are followed. */
export function eventAttributes(events: readonly TracedEvent[]): SpanAttributes {
  return {
    'palimpsest.event.count': events.length,
    'palimpsest.event.ids': events.slice(0, NAMED_EVENTS).map(({ id }) => id),
    'palimpsest.event.types': [...new Set(events.map(({ type }) => type))],
    ...(events.length > 0 && { 'palimpsest.log.position': events.at(-1)!.position }),
  };
}

/** Events of one append are followed in its trace; those of several in a trace of its own, linked to each. */
export function beginningAfter(events: readonly TracedEvent[]): TraceBeginning {
  const appends = new Map(
    events.map(({ metadata, stream }): [string, SpanIds] => {
      const span = appendSpanOf(metadata.commandId, stream);
      return [span.spanId, span];
    }),
  );
  const [first] = appends.values();
  if (first === undefined || appends.size > 1)
    return { traceId: null, parentSpanId: null, links: [...appends.values()] };
  return { traceId: first.traceId, parentSpanId: first.spanId, links: [] };
}

/** The class of an error, or its row in the table: what it says may hold what people wrote. */
export function kindOf(error: unknown): string {
  if (error instanceof ApplicationError) return error.row;
  return error instanceof Error ? error.name : 'error';
}
