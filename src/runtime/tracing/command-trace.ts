import { createHash } from 'node:crypto';

/** What names a span everywhere: 32 and 16 hexadecimal digits. */
export interface SpanIds {
  readonly traceId: string;
  readonly spanId: string;
}

const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(?:-|$)/;

/**
 * The trace of a command has the command's own id, a UUID, without its dashes. So whoever reads an event, in whatever thread or
 * process, knows the trace in which it was appended, and nothing about traces has to be stored in the log.
 */
export function traceIdOf(commandId: string): string {
  return commandId.replaceAll('-', '').toLowerCase();
}

/** The span of the append by which a command's events got into a stream. */
export function appendSpanOf(commandId: string, stream: string): SpanIds {
  const digest = createHash('sha256')
    .update(JSON.stringify(['append', commandId, stream]))
    .digest('hex');
  return { traceId: traceIdOf(commandId), spanId: digest.slice(0, 16) };
}

/** The kind of a stream: its name without the ids of people, channels and messages. */
export function streamKind(stream: string): string {
  return stream.replace(/-[^-]*\d.*$/s, '');
}

/** The span that a `traceparent` header names (W3C Trace Context); null: it names none. */
export function spanOfTraceparent(header: string | undefined): SpanIds | null {
  const [, traceId, spanId] = TRACEPARENT.exec(header ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return null;
  return /^0+$/.test(traceId) || /^0+$/.test(spanId) ? null : { traceId, spanId };
}
