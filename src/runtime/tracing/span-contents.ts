import { ApplicationError } from '../../kernel/errors.js';
import { appendSpanOf, streamKind, type SpanIds } from './command-trace.js';
import type { FinishedSpan, SpanAttributes, TraceBeginning } from './trace-scope.js';
import type { AnsweredRequest, TracedCommand, TracedEvent } from './tracer.js';

/** Maximum number of event ids listed in a span; the others are only counted. */
const NAMED_EVENTS = 100;

/** The span of an answered request. */
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
  // By OpenTelemetry's conventions, an error of the client is not an error of the server's span.
  return {
    name: `${method} ${route}`,
    role: 'server',
    attributes,
    error: status >= 500 ? (error ?? 'error') : null,
  };
}

/** The attributes of a span about a command. */
export function commandAttributes({ stream, metadata }: TracedCommand): SpanAttributes {
  const { commandId, causationId } = metadata;
  return {
    'palimpsest.stream.kind': streamKind(stream),
    'palimpsest.command.id': commandId,
    ...(causationId !== null && { 'palimpsest.causation.id': causationId }),
  };
}

/** The attributes of a span about appended or followed events. */
export function eventAttributes(events: readonly TracedEvent[]): SpanAttributes {
  return {
    'palimpsest.event.count': events.length,
    'palimpsest.event.ids': events.slice(0, NAMED_EVENTS).map(({ id }) => id),
    'palimpsest.event.types': [...new Set(events.map(({ type }) => type))],
    ...(events.length > 0 && { 'palimpsest.log.position': events.at(-1)!.position }),
  };
}

/** Events of one append are followed in its trace. Events of several appends are followed in a new trace that is linked to each. */
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

/** The class of an error, or its row of the error table. Its message is left out, because it may contain what people wrote. */
export function kindOf(error: unknown): string {
  if (error instanceof ApplicationError) return error.row;
  return error instanceof Error ? error.name : 'error';
}
