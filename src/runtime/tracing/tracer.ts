import type { EventMetadata, RecordedEvent } from '../../kernel/event.js';

/** What a command does to one stream, as a tracer is told of it. */
export interface TracedCommand {
  readonly stream: string;
  readonly metadata: Pick<EventMetadata, 'commandId' | 'causationId'>;
}

/** What a tracer notes of the events that came of an append or go into a read model: no text, no person. */
export type TracedEvent = Pick<RecordedEvent, 'id' | 'type' | 'stream' | 'position'> & {
  readonly metadata: Pick<EventMetadata, 'commandId' | 'causationId'>;
};

/** What a request came to. */
export interface AnsweredRequest {
  readonly method: string;
  /** The path's pattern: paths themselves name people and say what they look for. */
  readonly route: string;
  readonly status: number;
  /** The row of the error table that it was answered with; null: it was not. */
  readonly error: string | null;
}

/** The trace of one request. */
export interface RequestTrace {
  /** Runs the rest of the request: what is traced meanwhile, and in what it starts, belongs to it. */
  run(task: () => void): void;
  /**
   * Ends it, and hands it over to be exported.
   *
   * @returns the id of the trace: 32 hexadecimal digits
   */
  end(answered: AnsweredRequest): string;
}

/**
 * Records how long the parts of the program take, for a collector to show. Whoever holds none (null) records nothing. Tasks are
 * run as they are: what they answer and throw is passed on, and nobody waits for what is recorded to be exported.
 */
export interface Tracer {
  /** @param traceparent of the caller (W3C Trace Context), which the trace is linked to; absent or malformed: it is linked to none */
  request(traceparent: string | undefined): RequestTrace;
  /** Something of a request or reaction that has no command of its own; outside of these it is not recorded. */
  step<Result>(name: string, task: () => Promise<Result>): Promise<Result>;
  /** A decision about a stream, from loading it until its events are appended. */
  decision<Result>(command: TracedCommand, task: () => Promise<Result>): Promise<Result>;
  /** An append of a command, until the log acknowledges it. */
  append<Result extends { readonly events: readonly TracedEvent[] }>(
    command: TracedCommand,
    task: () => Promise<Result>,
  ): Promise<Result>;
  /** What applies these events to a read model. */
  projection<Result>(
    model: string,
    events: readonly TracedEvent[],
    task: () => Promise<Result>,
  ): Promise<Result>;
  /** What a reactor does because of an event. */
  reaction<Result>(reactor: string, event: TracedEvent, task: () => Promise<Result>): Promise<Result>;
  /** Exports what still waits, for two seconds at most. Never rejects. */
  close(): Promise<void>;
}

/** Where traces go, and how many. */
export interface TracingOptions {
  /** The address of a collector that speaks OTLP over HTTP, without `/v1/traces`. */
  readonly endpoint: string;
  /** Sent with each export, by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** What the collector shows the program as. */
  readonly serviceName: string;
  /** The share of traces that is exported, from 0 to 1: every process and thread chooses the same ones. */
  readonly share: number;
}

/** Is told, at most once a minute, why spans are lost. */
export type WarnOfLoss = (reason: string) => void;
