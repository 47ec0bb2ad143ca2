import { isIP } from 'node:net';

/** Where a server is reached. */
export interface ServerAddress {
  /** `PUBLIC_URL` without a final slash; null: it is reached where it listens. */
  readonly publicUrl: string | null;
  /** `HOST`. */
  readonly host: string;
  /** `PORT`. */
  readonly port: number;
}

/**
 * The address that links name: `PUBLIC_URL`, or the one that the server listens on.
 *
 * @param port the port that is listened on, which differs from the configured one when that is 0
 */
export function publicUrl(configuration: ServerAddress, port: number = configuration.port): string {
  if (configuration.publicUrl !== null) return configuration.publicUrl;
  const anywhere = configuration.host === '0.0.0.0' || configuration.host === '::';
  const host = anywhere ? '127.0.0.1' : configuration.host;
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** Whether a host, by name or address, is this machine itself. */
export function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || host.endsWith('.localhost') || host.startsWith('127.') || /^\[?::1\]?$/.test(host)
  );
}
