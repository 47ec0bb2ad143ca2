import type { TracingOptions } from '../runtime/tracing/tracer.js';
import { ConfigurationError, list, webAddress } from './configuration-values.js';

/** Reads the configuration of tracing; null: tracing is off. @throws ConfigurationError */
export function tracingFrom(read: (name: string) => string | null): TracingOptions | null {
  const endpoint = webAddress('OTEL_EXPORTER_OTLP_ENDPOINT', read('OTEL_EXPORTER_OTLP_ENDPOINT'));
  const options = {
    headers: headers(read('OTEL_EXPORTER_OTLP_HEADERS')),
    serviceName: read('OTEL_SERVICE_NAME') ?? 'palimpsest',
    share: share(read('OTEL_TRACES_SAMPLER_ARG') ?? '1'),
  };
  return endpoint === null ? null : { endpoint, ...options };
}

/**
 * Headers in OpenTelemetry's format: comma-separated `name=value` pairs with percent-encoded values. The values may
 * be secrets, so errors never repeat them.
 */
function headers(value: string | null): Readonly<Record<string, string>> {
  return Object.fromEntries(list(value).map(header));
}

function header(entry: string): [string, string] {
  const [, name, value = ''] = /^([\w-]+)\s*=\s*([!-~]+)$/.exec(entry) ?? [];
  const decoded = decode(value);
  if (name !== undefined && decoded !== null && /^[ -~]+$/.test(decoded)) return [name, decoded];
  throw new ConfigurationError(
    'OTEL_EXPORTER_OTLP_HEADERS must be name=value, with commas between several, and with what is special in a value written as %XX.',
  );
}

function decode(value: string): string | null {
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}

function share(value: string): number {
  if (/^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/.test(value)) return Number(value);
  throw new ConfigurationError(
    `OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1, such as 0.05, but is "${value}".`,
  );
}
