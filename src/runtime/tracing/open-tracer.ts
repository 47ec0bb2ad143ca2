import type { Tracer } from './tracer.js';

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

/**
 * Makes a tracer. The libraries that it needs are loaded by this call alone, so that whoever does not trace does not pay for them.
 *
 * @param options null: nothing is traced
 */
export async function openTracer(options: TracingOptions | null, warn: WarnOfLoss): Promise<Tracer | null> {
  if (options === null) return null;
  const [{ RecordingTracer }, { OtlpSink }] = await Promise.all([
    import('./recording-tracer.js'),
    import('./otlp-sink.js'),
  ]);
  return new RecordingTracer(new OtlpSink(options, warn));
}
