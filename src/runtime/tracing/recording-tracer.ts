import { AsyncLocalStorage } from 'node:async_hooks';
import { ApplicationError, isRefusal } from '../../kernel/errors.js';
import { appendSpanOf, spanOfTraceparent, streamKind, traceIdOf, type SpanIds } from './command-trace.js';
import {
  randomSpanId,
  TraceScope,
  type FinishedSpan,
  type SpanAttributes,
  type SpanRole,
  type TraceBeginning,
} from './trace-scope.js';
import type { AnsweredRequest, RequestTrace, TracedCommand, TracedEvent, Tracer } from './tracer.js';

/** Takes the spans of traces, to export them. */
export interface SpanSink {
  /** Never waits and never throws: what is too much is dropped. */
  take(traceId: string, spans: readonly FinishedSpan[]): void;
  close(): Promise<void>;
}

/** Ids of events that a span names; the rest is only counted. */
const NAMED_EVENTS = 100;

/** Where something runs. */
interface Here {
  readonly scope: TraceScope;
  readonly spanId: string;
}

/** What a span is before it has run. */
interface Beginning<Result> {
  readonly name: string;
  readonly role: SpanRole;
  readonly attributes: SpanAttributes;
  /** What is only known when it has ended well. */
  readonly outcome?: (result: Result) => { readonly spanId?: string; readonly attributes?: SpanAttributes };
}

/** A span but for what it hangs on. */
type OwnSpan = Omit<FinishedSpan, 'parentSpanId' | 'links'>;

/** What is run, and who is given its span. */
interface Recording<Result> {
  readonly task: () => Promise<Result>;
  readonly keep: (span: OwnSpan) => void;
}

/** By the machine's clock, but never back: milliseconds since the UNIX epoch. */
const epoch = Date.now() - performance.now();
const now = (): number => epoch + performance.now();

/**
 * Records spans around what it runs. A trace has the id of its command (see {@link traceIdOf}); a request is in the trace of the first
 * command that it gives. A further command, and one that a reactor gives, has a trace of its own, linked to where it comes from.
 */
export class RecordingTracer implements Tracer {
  private readonly here = new AsyncLocalStorage<Here>();

  constructor(private readonly sink: SpanSink) {}

  request(traceparent: string | undefined): RequestTrace {
    const caller = spanOfTraceparent(traceparent);
    const scope = new TraceScope({ traceId: null, parentSpanId: null, links: caller ? [caller] : [] });
    const spanId = randomSpanId();
    const begun = now();
    return {
      run: (task) => this.here.run({ scope, spanId }, task),
      end: (answered) => {
        this.end(scope, { spanId, begun, ended: now(), ...requestSpan(answered) });
        return scope.traceId;
      },
    };
  }

  step<Result>(name: string, task: () => Promise<Result>): Promise<Result> {
    const here = this.open();
    return here === null ? task() : this.inside(here, { name, role: 'internal', attributes: {} }, task);
  }

  decision<Result>(command: TracedCommand, task: () => Promise<Result>): Promise<Result> {
    const name = `decide ${streamKind(command.stream)}`;
    return this.ofCommand(command, { name, role: 'internal', attributes: attributesOf(command) }, task);
  }

  append<Result extends { readonly events: readonly TracedEvent[] }>(
    command: TracedCommand,
    task: () => Promise<Result>,
  ): Promise<Result> {
    const beginning: Beginning<Result> = {
      name: `append ${streamKind(command.stream)}`,
      role: 'producer',
      attributes: attributesOf(command),
      outcome: ({ events }) => ({
        spanId: appendSpanOf(command.metadata.commandId, command.stream).spanId,
        attributes: eventAttributes(events),
      }),
    };
    return this.ofCommand(command, beginning, task);
  }

  projection<Result>(
    model: string,
    events: readonly TracedEvent[],
    task: () => Promise<Result>,
  ): Promise<Result> {
    const attributes = { 'palimpsest.model': model, ...eventAttributes(events) };
    return this.inOwn(
      beginningAfter(events),
      { name: `project ${model}`, role: 'consumer', attributes },
      task,
    );
  }

  reaction<Result>(reactor: string, event: TracedEvent, task: () => Promise<Result>): Promise<Result> {
    const attributes = { 'palimpsest.reactor': reactor, ...eventAttributes([event]) };
    return this.inOwn(
      beginningAfter([event]),
      { name: `react ${reactor}`, role: 'consumer', attributes },
      task,
    );
  }

  close(): Promise<void> {
    return this.sink.close();
  }

  /** In the trace of a command: the one around it, where that is the same, else one that is linked to it. */
  private ofCommand<Result>(
    { metadata }: TracedCommand,
    beginning: Beginning<Result>,
    task: () => Promise<Result>,
  ): Promise<Result> {
    const traceId = traceIdOf(metadata.commandId);
    const here = this.open();
    if (here?.scope.isOf(traceId) === true) return this.inside(here, beginning, task);
    const cause = this.here.getStore();
    const links = cause === undefined ? [] : [{ traceId: cause.scope.traceId, spanId: cause.spanId }];
    return this.inOwn({ traceId, parentSpanId: null, links }, beginning, task);
  }

  private async inside<Result>(
    { scope, spanId: parentSpanId }: Here,
    beginning: Beginning<Result>,
    task: () => Promise<Result>,
  ): Promise<Result> {
    const keep = (span: OwnSpan): void => scope.add({ ...span, parentSpanId, links: [] });
    return this.record(scope, beginning, { task, keep });
  }

  private async inOwn<Result>(
    trace: TraceBeginning,
    beginning: Beginning<Result>,
    task: () => Promise<Result>,
  ): Promise<Result> {
    const scope = new TraceScope(trace);
    return this.record(scope, beginning, { task, keep: (span) => this.end(scope, span) });
  }

  private async record<Result>(
    scope: TraceScope,
    { name, role, attributes, outcome }: Beginning<Result>,
    { task, keep }: Recording<Result>,
  ): Promise<Result> {
    const spanId = randomSpanId();
    const span = { name, role, spanId, attributes, begun: now() };
    try {
      const result = await this.here.run({ scope, spanId }, task);
      const known = outcome?.(result);
      const all = { ...attributes, ...known?.attributes };
      keep({ ...span, spanId: known?.spanId ?? spanId, attributes: all, ended: now(), error: null });
      return result;
    } catch (error) {
      const kind = kindOf(error);
      const all = { ...attributes, 'error.type': kind };
      keep({ ...span, attributes: all, ended: now(), error: isRefusal(error) ? null : kind });
      throw error;
    }
  }

  private open(): Here | null {
    const here = this.here.getStore();
    return here?.scope.isOpen === true ? here : null;
  }

  private end(scope: TraceScope, span: OwnSpan): void {
    const { parentSpanId, links, traceId } = scope;
    this.sink.take(traceId, scope.end({ ...span, parentSpanId, links }));
  }
}

function requestSpan({
  method,
  route,
  status,
  error,
}: AnsweredRequest): Pick<OwnSpan, 'name' | 'role' | 'attributes' | 'error'> {
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

function attributesOf({ stream, metadata }: TracedCommand): SpanAttributes {
  const { commandId, causationId } = metadata;
  return {
    'palimpsest.stream.kind': streamKind(stream),
    'palimpsest.command.id': commandId,
    ...(causationId !== null && { 'palimpsest.causation.id': causationId }),
  };
}

function eventAttributes(events: readonly TracedEvent[]): SpanAttributes {
  return {
    'palimpsest.event.count': events.length,
    'palimpsest.event.ids': events.slice(0, NAMED_EVENTS).map(({ id }) => id),
    'palimpsest.event.types': [...new Set(events.map(({ type }) => type))],
    ...(events.length > 0 && { 'palimpsest.log.position': events.at(-1)!.position }),
  };
}

/** Events of one append are followed in its trace; those of several in a trace of its own, linked to each. */
function beginningAfter(events: readonly TracedEvent[]): TraceBeginning {
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
function kindOf(error: unknown): string {
  if (error instanceof ApplicationError) return error.row;
  return error instanceof Error ? error.name : 'error';
}
