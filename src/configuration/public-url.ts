import { isIP } from 'node:net';

/** The configuration of the server's address. */
interface ServerAddress {
  /** `PUBLIC_URL` without a trailing slash; null: clients use the address on which the server listens. */
  readonly publicUrl: string | null;
  /** `HOST`. */
  readonly host: string;
  /** `PORT`. */
  readonly port: number;
}

/**
 * The server's address for links: `PUBLIC_URL`, or the address on which the server listens.
 *
 * @param port the actual port, which differs from the configured one if that is 0
 */
export function publicUrl(configuration: ServerAddress, port: number = configuration.port): string {
  if (configuration.publicUrl !== null) return configuration.publicUrl;
  const anywhere = configuration.host === '0.0.0.0' || configuration.host === '::';
  const host = anywhere ? '127.0.0.1' : configuration.host;
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** Whether a host name or address is this machine itself. */
export function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || host.endsWith('.localhost') || host.startsWith('127.') || /^\[?::1\]?$/.test(host)
  );
}
