import { BlockList, isIP } from 'node:net';
import { join, resolve } from 'node:path';
import {
  isWebTokenFault,
  webTokenConfiguration,
  type WebTokenConfiguration,
} from './web-token-configuration.js';
import { OperatorError } from './kernel/operator-error.js';

/** What a process of an installation does. */
export type NodeRole = 'api' | 'projector';

/** How much is logged, in pino's words. */
export type LogLevel = (typeof LOG_LEVELS)[number];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const NODE_ROLES = ['api', 'projector'] as const;

/** The environment, parsed and checked once, when the process starts. */
export interface Configuration {
  /** `HOST`: the address to listen on. */
  readonly host: string;
  /** `PORT`; 0 takes any free one. */
  readonly port: number;
  /** `DATA_DIR`, absolute: embedded stores, keys, the owner's credentials, the control socket. */
  readonly dataDirectory: string;
  /** `EVENTSTORE_URL`; null: the embedded event store. */
  readonly eventStoreUrl: string | null;
  /** `MONGODB_URL`; null: embedded read models, keys and credentials. */
  readonly mongodbUrl: string | null;
  /** `ORGANIZATION_NAME`, `OWNER_EMAIL` and `OWNER_NAME` are read on the very first start only. */
  readonly organizationName: string;
  readonly ownerEmail: string;
  readonly ownerName: string;
  /** `LOG_LEVEL`. */
  readonly logLevel: LogLevel;
  /** `RATE_LIMIT_PER_MINUTE`: requests a person may send in any 60 seconds; 0 turns every limit off. */
  readonly rateLimitPerMinute: number;
  /** `PUBLIC_URL` without a final slash: what links and the credentials file name. Null: see {@link publicUrl}. */
  readonly publicUrl: string | null;
  /** `TRUSTED_PROXIES`: addresses and networks whose `X-Forwarded-*` headers are believed. */
  readonly trustedProxies: readonly string[];
  /** `SERVER_KEY_FILE`: the key that wraps all others. */
  readonly serverKeyFile: string;
  /** `METRICS_TOKEN`: lets whoever presents it as a bearer token read `/metrics` from elsewhere; null: loopback only. */
  readonly metricsToken: string | null;
  /** `SMTP_URL`: the server that takes letters; null: they are put into files in `DATA_DIR/outbox`. */
  readonly smtpUrl: string | null;
  /** `MAIL_FROM`: in whose name letters are written; null: the organization's, at the name of `PUBLIC_URL`. */
  readonly mailFrom: string | null;
  /** `SEAL_EVERY_EVENTS` and `SEAL_EVERY_SECONDS`: the log is sealed as soon as one of the two is reached. */
  readonly sealing: { readonly events: number; readonly seconds: number };
  /** `JWT_AUTH_KEY` and `JWT_AUTH_ALGORITHMS`: how tokens that log people in are verified; null: none are taken. */
  readonly webTokens: WebTokenConfiguration | null;
  /** `INVITATION_LINK_VALIDITY_MINUTES`: how long an invitation is valid that does not say so itself. */
  readonly invitationValidityMinutes: number;
  /** `INVITATIONS_PER_DAY`: letters that invite; 0: without limit. */
  readonly invitationsPerDay: number;
  /** `INBOUND_SMTP_PORT` and its companions: how mail becomes messages in channels. */
  readonly inboundMail: InboundMailConfiguration;
  /** `PUSH_RELAY_URL` and `PUSH_RELAY_TOKEN`: who takes notifications to devices; null: nobody. */
  readonly pushRelay: { readonly url: string; readonly token: string | null } | null;
  /** `NODE_ROLES`. */
  readonly nodeRoles: ReadonlySet<NodeRole>;
  /** `S3_BUCKET` and its companions: where uploaded files lie; null: in the data directory. */
  readonly s3: S3Configuration | null;
}

/** Where mail for channels comes in. */
export interface InboundMailConfiguration {
  /** `INBOUND_SMTP_HOST`. */
  readonly host: string;
  /** `INBOUND_SMTP_PORT`; null: no mail is taken; 0: any free one. */
  readonly port: number | null;
  /** `INBOUND_MAIL_DOMAIN`: what stands behind the @ of channels; null: the name of `PUBLIC_URL`. */
  readonly domain: string | null;
}

/** A store that speaks S3's protocol. */
export interface S3Configuration {
  /** `S3_BUCKET`, which must exist. */
  readonly bucket: string;
  /** `S3_ENDPOINT`; null: Amazon's own address of the region. */
  readonly endpoint: string | null;
  /** `S3_REGION`. */
  readonly region: string;
  /** `S3_ACCESS_KEY_ID` and `S3_SECRET_ACCESS_KEY`; null: the client's own search of environment, files and instance. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
}

/** The environment holds a value that the server cannot start with. The message is a sentence that names the variable. */
export class ConfigurationError extends OperatorError {
  override readonly name = 'ConfigurationError';
}

/**
 * Reads the configuration. An empty value counts as absent.
 *
 * @throws ConfigurationError for the first bad value; values that may hold a secret are not repeated in it
 */
export function readConfiguration(environment: NodeJS.ProcessEnv): Configuration {
  const read = (name: string): string | null => environment[name]?.trim() || null;
  const dataDirectory = resolve(read('DATA_DIR') ?? './var');
  const eventStoreUrl = serverUrl('EVENTSTORE_URL', read('EVENTSTORE_URL'), ['esdb:', 'esdb+discover:']);
  const mongodbUrl = serverUrl('MONGODB_URL', read('MONGODB_URL'), ['mongodb:', 'mongodb+srv:']);
  const configuration: Configuration = {
    host: read('HOST') ?? '127.0.0.1',
    port: wholeNumber('PORT', read('PORT') ?? '9991', 65_535),
    dataDirectory,
    eventStoreUrl,
    mongodbUrl,
    organizationName: read('ORGANIZATION_NAME') ?? 'Palimpsest',
    ownerEmail: emailAddress('OWNER_EMAIL', read('OWNER_EMAIL') ?? 'owner@palimpsest.localhost'),
    ownerName: read('OWNER_NAME') ?? 'Owner',
    logLevel: oneOf('LOG_LEVEL', read('LOG_LEVEL') ?? 'info', LOG_LEVELS),
    rateLimitPerMinute: wholeNumber(
      'RATE_LIMIT_PER_MINUTE',
      read('RATE_LIMIT_PER_MINUTE') ?? '200',
      1_000_000,
    ),
    publicUrl: webAddress('PUBLIC_URL', read('PUBLIC_URL')),
    trustedProxies: list(read('TRUSTED_PROXIES')).map((entry) => network('TRUSTED_PROXIES', entry)),
    serverKeyFile: resolve(read('SERVER_KEY_FILE') ?? join(dataDirectory, 'server.key')),
    metricsToken: secret('METRICS_TOKEN', read('METRICS_TOKEN')),
    smtpUrl: serverUrl('SMTP_URL', read('SMTP_URL'), ['smtp:', 'smtps:']),
    mailFrom: mailbox('MAIL_FROM', read('MAIL_FROM')),
    sealing: {
      events: atLeastOne('SEAL_EVERY_EVENTS', read('SEAL_EVERY_EVENTS') ?? '1000'),
      seconds: atLeastOne('SEAL_EVERY_SECONDS', read('SEAL_EVERY_SECONDS') ?? '60'),
    },
    webTokens: webTokens(read('JWT_AUTH_KEY'), list(read('JWT_AUTH_ALGORITHMS'))),
    invitationValidityMinutes: atLeastOne(
      'INVITATION_LINK_VALIDITY_MINUTES',
      read('INVITATION_LINK_VALIDITY_MINUTES') ?? '14400',
    ),
    invitationsPerDay: wholeNumber('INVITATIONS_PER_DAY', read('INVITATIONS_PER_DAY') ?? '1000', 1_000_000),
    inboundMail: inboundMail(read),
    pushRelay: pushRelay(webAddress('PUSH_RELAY_URL', read('PUSH_RELAY_URL')), read('PUSH_RELAY_TOKEN')),
    nodeRoles: roles(list(read('NODE_ROLES'))),
    s3: s3Configuration(read),
  };
  refuseImpossibleRoles(configuration);
  return configuration;
}

/**
 * The address that links name: `PUBLIC_URL`, or the one that the server listens on.
 *
 * @param port the port that is listened on, which differs from the configured one when that is 0
 */
export function publicUrl(configuration: Configuration, port: number = configuration.port): string {
  if (configuration.publicUrl !== null) return configuration.publicUrl;
  const anywhere = configuration.host === '0.0.0.0' || configuration.host === '::';
  const host = anywhere ? '127.0.0.1' : configuration.host;
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

function s3Configuration(read: (name: string) => string | null): S3Configuration | null {
  const bucket = read('S3_BUCKET');
  const endpoint = webAddress('S3_ENDPOINT', read('S3_ENDPOINT'));
  const region = read('S3_REGION') ?? 'us-east-1';
  const [accessKeyId, secretAccessKey] = [read('S3_ACCESS_KEY_ID'), read('S3_SECRET_ACCESS_KEY')];
  if ((accessKeyId === null) !== (secretAccessKey === null)) {
    throw new ConfigurationError('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together.');
  }
  const credentials = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null;
  return bucket === null ? null : { bucket, endpoint, region, credentials };
}

function list(value: string | null): string[] {
  return (value ?? '').split(',').flatMap((entry) => entry.trim() || []);
}

function wholeNumber(name: string, value: string, most: number): number {
  if (/^\d{1,7}$/.test(value) && Number(value) <= most) return Number(value);
  throw new ConfigurationError(`${name} must be a whole number from 0 to ${most}, but is "${value}".`);
}

function atLeastOne(name: string, value: string): number {
  const number = wholeNumber(name, value, 1_000_000);
  if (number > 0) return number;
  throw new ConfigurationError(`${name} must be a whole number from 1 to 1000000, but is "${value}".`);
}

function oneOf<Choice extends string>(name: string, value: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((candidate) => candidate === value.toLowerCase());
  if (choice !== undefined) return choice;
  throw new ConfigurationError(`${name} must be one of ${choices.join(', ')}, but is "${value}".`);
}

function emailAddress(name: string, value: string): string {
  if (value.length <= 254 && /^[^\s@"<>:]+@[^\s@"<>:]+$/.test(value)) return value;
  throw new ConfigurationError(`${name} must be an e-mail address, but is "${value}".`);
}

function pushRelay(url: string | null, token: string | null): Configuration['pushRelay'] {
  return url === null ? null : { url, token: secret('PUSH_RELAY_TOKEN', token) };
}

function inboundMail(read: (name: string) => string | null): InboundMailConfiguration {
  const port = read('INBOUND_SMTP_PORT');
  const domain = read('INBOUND_MAIL_DOMAIN');
  if (domain !== null && !/^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(domain)) {
    throw new ConfigurationError(`INBOUND_MAIL_DOMAIN must be a name of a host, but is "${domain}".`);
  }
  return {
    host: read('INBOUND_SMTP_HOST') ?? '127.0.0.1',
    port: port === null ? null : wholeNumber('INBOUND_SMTP_PORT', port, 65_535),
    domain,
  };
}

/** An address that may have a name before it: `Palimpsest <chat@example.com>`. */
function mailbox(name: string, value: string | null): string | null {
  if (value === null || /^(?:[^<>\p{Cc}]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>"]+@[^\s@<>"]+)$/u.test(value))
    return value;
  throw new ConfigurationError(
    `${name} must be an address such as Chat <chat@example.com>, but is "${value}".`,
  );
}

/** A connection string, which may hold a password: it is never repeated. */
function serverUrl(name: string, value: string | null, schemes: readonly string[]): string | null {
  if (
    value === null ||
    schemes.some((scheme) => value.length > scheme.length + 2 && value.startsWith(`${scheme}//`))
  ) {
    return value;
  }
  throw new ConfigurationError(
    `${name} must begin with ${schemes.map((scheme) => `${scheme}//`).join(' or ')} and name a server.`,
  );
}

function webAddress(name: string, value: string | null): string | null {
  if (value === null) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  const plain = url !== null && !url.username && !url.password && !url.search && !url.hash;
  if (plain && (url.protocol === 'http:' || url.protocol === 'https:')) return url.href.replace(/\/+$/, '');
  throw new ConfigurationError(
    `${name} must be an http or https address without credentials, query or fragment.`,
  );
}

function network(name: string, value: string): string {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(value) || isNetwork(value)) return value;
  throw new ConfigurationError(
    `${name} must list IP addresses and networks such as 10.0.0.0/8, but holds "${value}".`,
  );
}

function isNetwork(value: string): boolean {
  const [address = '', prefix, ...rest] = value.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  try {
    new BlockList().addSubnet(
      address,
      /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1,
      family === 6 ? 'ipv6' : 'ipv4',
    );
    return true;
  } catch {
    // Node throws for a prefix that the family does not have.
    return false;
  }
}

function secret(name: string, value: string | null): string | null {
  if (value === null || value.length >= 16) return value;
  throw new ConfigurationError(`${name} must have at least 16 characters.`);
}

function webTokens(key: string | null, algorithms: readonly string[]): WebTokenConfiguration | null {
  const read = webTokenConfiguration(key, algorithms);
  if (isWebTokenFault(read)) throw new ConfigurationError(`${read.variable} ${read.fault}.`);
  return read;
}

function roles(names: readonly string[]): ReadonlySet<NodeRole> {
  return new Set(
    names.length === 0 ? NODE_ROLES : names.map((name) => oneOf('NODE_ROLES', name, NODE_ROLES)),
  );
}

/** Embedded stores are files of one process: whoever splits the work needs both servers. */
function refuseImpossibleRoles({ nodeRoles, eventStoreUrl, mongodbUrl }: Configuration): void {
  if (nodeRoles.size === NODE_ROLES.length || (eventStoreUrl !== null && mongodbUrl !== null)) return;
  throw new ConfigurationError(
    `NODE_ROLES can name one role only when EVENTSTORE_URL and MONGODB_URL are both set: embedded stores serve one process.`,
  );
}
