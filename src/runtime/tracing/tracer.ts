import type { EventMetadata, RecordedEvent } from '../../kernel/event.js';

/** A command on one stream, as a tracer sees it. */
export interface TracedCommand {
  readonly stream: string;
  readonly metadata: Pick<EventMetadata, 'commandId' | 'causationId'>;
}

/** What a tracer records of events that are appended or projected: no texts, no people. */
export type TracedEvent = Pick<RecordedEvent, 'id' | 'type' | 'stream' | 'position'> & {
  readonly metadata: Pick<EventMetadata, 'commandId' | 'causationId'>;
};

/** The outcome of a request. */
export interface AnsweredRequest {
  readonly method: string;
  /** The pattern of the path: actual paths contain names and search terms. */
  readonly route: string;
  readonly status: number;
  /** The row of the error table that was sent; null: the request succeeded. */
  readonly error: string | null;
}

/** The trace of one request. */
export interface RequestTrace {
  /** Runs the rest of the request: spans recorded meanwhile, also asynchronously, belong to it. */
  run(task: () => void): void;
  /**
   * Ends the trace and hands it over for export.
   *
   * @returns the trace id: 32 hexadecimal digits
   */
  end(answered: AnsweredRequest): string;
}

/**
 * Records how long parts of the program take. Null instead of a tracer: nothing is recorded. Results and errors of tasks are passed through
 * unchanged, and nobody waits for the export.
 */
export interface Tracer {
  /** @param traceparent header of the client (W3C Trace Context), to which the trace is linked; absent or malformed: there is no link */
  request(traceparent: string | undefined): RequestTrace;
  /** A step of a request or reaction that is not a command. Outside of these it is not recorded. */
  step<Result>(name: string, task: () => Promise<Result>): Promise<Result>;
  /** A decision about a stream, from loading the stream to appending the events. */
  decision<Result>(command: TracedCommand, task: () => Promise<Result>): Promise<Result>;
  /** An append, until the log acknowledges it. */
  append<Result extends { readonly events: readonly TracedEvent[] }>(
    command: TracedCommand,
    task: () => Promise<Result>,
  ): Promise<Result>;
  /** Applying events to a read model. */
  projection<Result>(
    model: string,
    events: readonly TracedEvent[],
    task: () => Promise<Result>,
  ): Promise<Result>;
  /** A reactor's handling of an event. */
  reaction<Result>(reactor: string, event: TracedEvent, task: () => Promise<Result>): Promise<Result>;
  /** Exports the remaining spans, within two seconds. Never rejects. */
  close(): Promise<void>;
}

/** Where traces are sent, and how many. */
export interface TracingOptions {
  /** The collector's OTLP address over HTTP, without `/v1/traces`. */
  readonly endpoint: string;
  /** Headers of each export, by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The name of the service in the collector. */
  readonly serviceName: string;
  /** The share of traces to export, from 0 to 1. All processes and threads choose the same traces. */
  readonly share: number;
}

/** Called at most once a minute with the reason why spans are lost. */
export type WarnOfLoss = (reason: string) => void;
