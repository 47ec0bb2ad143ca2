import type { Tracer, TracingOptions, WarnOfLoss } from './tracer.js';

/**
 * Creates a tracer. Its libraries are only loaded here, so they cost nothing while tracing is off.
 *
 * @param options null: tracing is off
 */
export async function openTracer(options: TracingOptions | null, warn: WarnOfLoss): Promise<Tracer | null> {
  if (options === null) return null;
  const [{ RecordingTracer }, { OtlpSink }] = await Promise.all([
    import('./recording-tracer.js'),
    import('./otlp-sink.js'),
  ]);
  return new RecordingTracer(new OtlpSink(options, warn));
}
