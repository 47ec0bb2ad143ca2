// eslint-disable-next-line no-restricted-syntax -- used only where tracing is on
import { AsyncLocalStorage } from 'node:async_hooks';
import { isRefusal } from '../../kernel/errors.js';
import { appendSpanOf, spanOfTraceparent, streamKind, traceIdOf } from './command-trace.js';
import { beginningAfter, commandAttributes, eventAttributes, kindOf, requestSpan } from './span-contents.js';
import {
  randomSpanId,
  TraceScope,
  type FinishedSpan,
  type SpanAttributes,
  type SpanRole,
  type TraceBeginning,
} from './trace-scope.js';
import type { RequestTrace, TracedCommand, TracedEvent, Tracer } from './tracer.js';

/** Receives the spans of finished traces for export. */
export interface SpanSink {
  /** Never waits and never throws: spans above the limit are dropped. */
  take(traceId: string, spans: readonly FinishedSpan[]): void;
  close(): Promise<void>;
}

/** The context in which code runs. */
interface Here {
  readonly scope: TraceScope;
  readonly spanId: string;
}

/** What is known of a span before its task runs. */
interface Beginning<Result> {
  readonly name: string;
  readonly role: SpanRole;
  readonly attributes: SpanAttributes;
  /** What is only known after its task succeeded. */
  readonly outcome?: (result: Result) => { readonly spanId?: string; readonly attributes?: SpanAttributes };
}

/** A span without its parent and links. */
type OwnSpan = Omit<FinishedSpan, 'parentSpanId' | 'links'>;

/** A task, and the callback that receives its span. */
interface Recording<Result> {
  readonly task: () => Promise<Result>;
  readonly keep: (span: OwnSpan) => void;
}

/** Tolerated difference of the two clocks in milliseconds: one counts whole milliseconds, and they are not read at the same instant. */
const CLOCKS_DIFFER = 10;
let epoch = Date.now() - performance.now();

/** Milliseconds since the UNIX epoch, with fractions. Uses the monotonic clock, and follows the system clock when that is changed. */
function now(): number {
  const monotonic = performance.now();
  const wall = Date.now();
  if (Math.abs(wall - monotonic - epoch) > CLOCKS_DIFFER) epoch = wall - monotonic;
  return epoch + monotonic;
}

/**
 * Records spans around tasks. A trace has the id of its command (see {@link traceIdOf}); a request belongs to the trace of its first
 * command. Further commands, and commands of reactors, have traces of their own that are linked to their origin.
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
    return this.ofCommand(command, { name, role: 'internal', attributes: commandAttributes(command) }, task);
  }

  append<Result extends { readonly events: readonly TracedEvent[] }>(
    command: TracedCommand,
    task: () => Promise<Result>,
  ): Promise<Result> {
    const beginning: Beginning<Result> = {
      name: `append ${streamKind(command.stream)}`,
      role: 'producer',
      attributes: commandAttributes(command),
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

  /** Runs in the trace of a command: the current trace, if it is the same, else a new one that is linked to it. */
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
    const keep = (own: OwnSpan): void => {
      const span = { ...own, parentSpanId, links: [] };
      // A task may end after the reply to its request.
      if (scope.isOpen) scope.add(span);
      else this.sink.take(scope.traceId, [span]);
    };
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
