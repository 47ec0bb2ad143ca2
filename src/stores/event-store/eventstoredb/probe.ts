import { readFileSync } from 'node:fs';
import { connect, isIP } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { once } from 'node:events';
import { status } from '@grpc/grpc-js';
import { AccessDeniedError } from '@eventstore/db-client';
import type { StoreProblem } from '../../store-problem.js';
import { EventStoreUnavailableError } from '../port.js';
import { EventStoreDb } from './event-store-db.js';
import { hasCode } from './failures.js';

/** Timeout of one check, in milliseconds. */
const TIMEOUT = 3_000;

const DEFAULT_PORT = 2113;

/** The address of a server in a connection string, and whether it uses TLS. */
interface Address {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  readonly caFile: string | null;
  readonly isVerified: boolean;
}

/** Why EventStoreDB cannot be used; null: it can be. The result never contains the password of the connection string. */
export async function probeEventStoreDb(connectionString: string): Promise<StoreProblem | null> {
  const store = new EventStoreDb({ connectionString, deadline: TIMEOUT });
  try {
    const addresses = addressesOf(connectionString);
    const where = addresses.map(({ host, port }) => `${host}:${port}`).join(', ');
    const problem = (await whyUnreachable(addresses)) ?? (await whyUnreadable(store));
    return problem && { ...problem, what: `EventStoreDB at ${where}` };
  } finally {
    await store.close();
  }
}

function addressesOf(connectionString: string): readonly Address[] {
  const [, hosts = '', query = ''] =
    /^[^:]+:\/\/(?:[^@/]*@)?([^/?]*)\/?(?:\?(.*))?$/.exec(connectionString) ?? [];
  const options = new Map(
    [...new URLSearchParams(query)].map(([name, value]) => [name.toLowerCase(), value] as const),
  );
  const shared = {
    isSecure: options.get('tls')?.toLowerCase() !== 'false',
    caFile: options.get('tlscafile') ?? null,
    isVerified: options.get('tlsverifycert')?.toLowerCase() !== 'false',
  };
  return hosts.split(',').map((address) => {
    const [, host = address, port] = /^(.*?)(?::(\d+))?$/.exec(address) ?? [];
    return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port ?? DEFAULT_PORT), ...shared };
  });
}

type Reason = Pick<StoreProblem, 'reason' | 'isPermanent'>;

/** Null as soon as one of them accepts a connection. The client itself would only report a timeout. */
async function whyUnreachable(addresses: readonly Address[]): Promise<Reason | null> {
  let first: Reason | null = null;
  for (const address of addresses) {
    const reason = await whyRefused(address);
    if (reason === null) return null;
    first ??= reason;
  }
  return first;
}

async function whyRefused({ host, port, isSecure, caFile, isVerified }: Address): Promise<Reason | null> {
  let socket;
  try {
    socket = isSecure
      ? connectSecurely({
          host,
          port,
          rejectUnauthorized: isVerified,
          ALPNProtocols: ['h2'],
          ...(isIP(host) === 0 && { servername: host }),
          ...(caFile !== null && { ca: readFileSync(caFile) }),
        })
      : connect({ host, port });
    await once(socket, isSecure ? 'secureConnect' : 'connect', { signal: AbortSignal.timeout(TIMEOUT) });
    return null;
  } catch (error) {
    return reasonOf(error as NodeJS.ErrnoException);
  } finally {
    socket?.destroy();
  }
}

function reasonOf({ name, code, message, syscall }: NodeJS.ErrnoException): Reason {
  if (name === 'AbortError') return { reason: 'nothing answers there', isPermanent: false };
  if (code === 'ECONNREFUSED')
    return { reason: 'nothing listens there (connection refused)', isPermanent: false };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return { reason: 'there is no such host', isPermanent: false };
  if (syscall === 'open')
    return { reason: `the certificate file cannot be read (${message})`, isPermanent: true };
  if (code === 'EPROTO' || code === 'ERR_SSL_WRONG_VERSION_NUMBER')
    return { reason: 'it does not speak TLS: add tls=false to EVENTSTORE_URL', isPermanent: true };
  if (/CERT|SIGNATURE|SELF_SIGNED/.test(code ?? ''))
    return { reason: `its certificate is not trusted (${message})`, isPermanent: true };
  return { reason: message, isPermanent: false };
}

/** Whether the log can be read, as every process of the server must. */
async function whyUnreadable(store: EventStoreDb): Promise<Reason | null> {
  try {
    await store.head({ withSystemEvents: true });
    return null;
  } catch (error) {
    if (!(error instanceof EventStoreUnavailableError)) throw error;
    if (hasCode(error.cause, status.UNAUTHENTICATED))
      return { reason: 'the name or the password of the user is wrong', isPermanent: true };
    if (error.cause instanceof AccessDeniedError || hasCode(error.cause, status.PERMISSION_DENIED))
      return {
        reason: 'its user may not read $all: docs/operate.md says how to allow it ("On servers of your own")',
        isPermanent: true,
      };
    return { reason: error.message, isPermanent: false };
  }
}
