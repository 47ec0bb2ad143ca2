import { readFileSync } from 'node:fs';
import { ConfigurationError } from './configuration-values.js';

/**
 * Variables that may contain a secret. Each can be given in a file instead: `METRICS_TOKEN_FILE` names the file
 * that contains `METRICS_TOKEN`.
 */
export const secretVariables = [
  'EVENTSTORE_URL',
  'MONGODB_URL',
  'SMTP_URL',
  'METRICS_TOKEN',
  'PUSH_RELAY_TOKEN',
  'JWT_AUTH_KEY',
  'OIDC_CLIENT_SECRET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const;

/** The name of the variable for a secret's file. */
export function fileVariableOf(name: string): string {
  return `${name}_FILE`;
}

/**
 * The content of the file that was configured for a secret; undefined: none was configured.
 *
 * @throws ConfigurationError when the file cannot be read, or when the secret is configured directly as well
 */
export function secretFromFile(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  if (!(secretVariables as readonly string[]).includes(name)) return undefined;
  const variable = fileVariableOf(name);
  const file = environment[variable]?.trim();
  if (!file) return undefined;
  if (environment[name]?.trim()) {
    throw new ConfigurationError(`${name} and ${variable} are both set: only one of them can hold.`);
  }
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigurationError(`${variable} names a file that cannot be read: ${file} (${code}).`);
  }
}
