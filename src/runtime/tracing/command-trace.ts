import { createHash } from 'node:crypto';

/** The ids of a span: 32 hexadecimal digits of its trace, and 16 of its own. */
export interface SpanIds {
  readonly traceId: string;
  readonly spanId: string;
}

const traceparentForm = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(?:-|$)/;

/**
 * The trace id of a command is its command id, a UUID, without dashes. Every thread and process that reads an event can derive the trace in
 * which it was appended, so the log need not store anything about traces.
 */
export function traceIdOf(commandId: string): string {
  return commandId.replaceAll('-', '').toLowerCase();
}

/** The span of the append that wrote a command's events to a stream. */
export function appendSpanOf(commandId: string, stream: string): SpanIds {
  const digest = createHash('sha256')
    .update(JSON.stringify(['append', commandId, stream]))
    .digest('hex');
  return { traceId: traceIdOf(commandId), spanId: digest.slice(0, 16) };
}

/** The stream's name without the ids of people, channels and messages. */
export function streamKind(stream: string): string {
  return stream.replace(/-[^-]*\d.*$/s, '');
}

/** The span in a `traceparent` header (W3C Trace Context); null: absent or malformed. */
export function spanOfTraceparent(header: string | undefined): SpanIds | null {
  const [, traceId, spanId] = traceparentForm.exec(header ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return null;
  return /^0+$/.test(traceId) || /^0+$/.test(spanId) ? null : { traceId, spanId };
}
