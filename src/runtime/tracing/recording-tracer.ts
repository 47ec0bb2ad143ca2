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

/** Takes the spans of traces, to export them. */
export interface SpanSink {
  /** Never waits and never throws: what is too much is dropped. */
  take(traceId: string, spans: readonly FinishedSpan[]): void;
  close(): Promise<void>;
}

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

/** By how much the two clocks may differ, in milliseconds: the one counts whole ones, and both are not read at once. */
const CLOCKS_DIFFER = 10;
let epoch = Date.now() - performance.now();

/** Milliseconds since the UNIX epoch, with fractions: by the monotonic clock, which follows the machine's when that was set. */
function now(): number {
  const monotonic = performance.now();
  const wall = Date.now();
  if (Math.abs(wall - monotonic - epoch) > CLOCKS_DIFFER) epoch = wall - monotonic;
  return epoch + monotonic;
}

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
    const keep = (own: OwnSpan): void => {
      const span = { ...own, parentSpanId, links: [] };
      // What a request began may end after its reply.
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
