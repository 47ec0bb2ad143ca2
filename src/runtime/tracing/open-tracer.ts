import type { Tracer, TracingOptions, WarnOfLoss } from './tracer.js';

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
