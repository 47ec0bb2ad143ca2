import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import {
  atLeastOne,
  between,
  ConfigurationError,
  emailAddress,
  list,
  network,
  oneOf,
  secret,
  serverUrl,
  subnet,
  webAddress,
  wholeNumber,
  type ReadVariable,
} from './configuration/configuration-values.js';
import { backupsFrom, type BackupConfiguration } from './configuration/backup-configuration.js';
import { openIdFrom, type OpenIdConfiguration } from './configuration/open-id-configuration.js';
import { misspelledVariables } from './configuration/misspelled-variables.js';
import { tracingFrom } from './configuration/tracing-configuration.js';
import type { TracingOptions } from './runtime/tracing/tracer.js';
import { s3From, s3AccessFrom, type S3Configuration } from './configuration/s3-access.js';
import { fileVariableOf, SECRET_VARIABLES, secretFromFile } from './configuration/secret-files.js';
import { webTokensFrom, type WebTokenConfiguration } from './configuration/web-token-configuration.js';
import { budgets } from './kernel/budgets.js';
import { isSingleLine } from './kernel/text.js';
import { mailFrom, type MailConfiguration } from './configuration/mail-configuration.js';

/** What a process of an installation does. */
export type NodeRole = 'api' | 'projector';

/** How much is logged, in pino's words. */
export type LogLevel = (typeof LOG_LEVELS)[number];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const NODE_ROLES = ['api', 'projector'] as const;

/** The environment, parsed and checked once, when the process starts. */
export interface Configuration extends MailConfiguration {
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
  /** `SEAL_EVERY_EVENTS` and `SEAL_EVERY_SECONDS`: the log is sealed as soon as one of the two is reached. */
  readonly sealing: { readonly events: number; readonly seconds: number };
  /** `JWT_AUTH_KEY` and the other variables of that prefix: how tokens that log people in are verified; null: none are taken. */
  readonly webTokens: WebTokenConfiguration | null;
  /** `OIDC_ISSUER` and its companions: who signs people in beside passwords; null: nobody. */
  readonly openId: OpenIdConfiguration | null;
  /** `INVITATION_LINK_VALIDITY_MINUTES`: how long an invitation is valid that does not say so itself. */
  readonly invitationValidityMinutes: number;
  /** `INVITATIONS_PER_DAY`: e-mails that invite; 0: without limit. */
  readonly invitationsPerDay: number;
  /** `OUTGOING_WEBHOOK_ALLOWED_NETWORKS`: private addresses and networks that requests of bots may go to. */
  readonly outgoingWebhookNetworks: readonly string[];
  /** `PUSH_RELAY_URL` and `PUSH_RELAY_TOKEN`: who takes notifications to devices; null: nobody. */
  readonly pushRelay: { readonly url: string; readonly token: string | null } | null;
  /** `NODE_ROLES`. */
  readonly nodeRoles: ReadonlySet<NodeRole>;
  /** `READER_THREADS` and `QUERY_TIMEOUT_SECONDS`: on how many threads is read what may take long, and how long it may take. */
  readonly readers: { readonly threads: number; readonly timeoutSeconds: number };
  /** `STORES_TIMEOUT_SECONDS`: how long a start waits for servers that hold stores. */
  readonly storesTimeoutSeconds: number;
  /** `UPLOAD_QUOTA_MIB` and `UPLOAD_QUOTA_PER_PERSON_MIB`: what uploads may take. */
  readonly uploadQuota: { readonly mebibytes: number; readonly mebibytesOfPerson: number };
  /** `S3_BUCKET` and its companions: where uploaded files lie; null: in the data directory. */
  readonly s3: S3Configuration | null;
  /** `BACKUP_TO` and its companions. */
  readonly backup: BackupConfiguration;
  /** `OTEL_EXPORTER_OTLP_ENDPOINT` and its companions: where traces go; null: nothing is traced. */
  readonly tracing: TracingOptions | null;
  /** `REACTORS`: whether this process does what follows from events and from the time, such as sending e-mails. */
  readonly reactors: boolean;
}

/**
 * Reads the configuration. An empty value counts as absent; a secret may be in a file: see {@link SECRET_VARIABLES}.
 *
 * @throws ConfigurationError for the first bad value; values that may hold a secret are not repeated in it
 */
export function readConfiguration(environment: NodeJS.ProcessEnv): Configuration {
  return configurationFrom(
    (name) => (secretFromFile(environment, name) ?? environment[name])?.trim() || null,
  );
}

/** Sentences about variables of the environment that look as if they were meant for this program, but are not read. */
export function unknownVariables(environment: NodeJS.ProcessEnv): readonly string[] {
  const known = new Set<string>(SECRET_VARIABLES.map(fileVariableOf));
  configurationFrom((name) => {
    known.add(name);
    return null;
  });
  return misspelledVariables(environment, known);
}

function configurationFrom(read: ReadVariable): Configuration {
  const dataDirectory = resolve(read('DATA_DIR') ?? './var');
  const configuration: Configuration = {
    dataDirectory,
    eventStoreUrl: serverUrl('EVENTSTORE_URL', read('EVENTSTORE_URL'), ['esdb:', 'esdb+discover:']),
    mongodbUrl: serverUrl('MONGODB_URL', read('MONGODB_URL'), ['mongodb:', 'mongodb+srv:']),
    ...listening(read),
    ...firstStart(read),
    logLevel: oneOf('LOG_LEVEL', read('LOG_LEVEL') ?? 'info', LOG_LEVELS),
    serverKeyFile: resolve(read('SERVER_KEY_FILE') ?? join(dataDirectory, 'server.key')),
    metricsToken: secret('METRICS_TOKEN', read('METRICS_TOKEN')),
    ...mailFrom(read),
    sealing: {
      events: atLeastOne('SEAL_EVERY_EVENTS', read('SEAL_EVERY_EVENTS') ?? '1000'),
      seconds: atLeastOne('SEAL_EVERY_SECONDS', read('SEAL_EVERY_SECONDS') ?? '60'),
    },
    webTokens: webTokensFrom(read),
    openId: openIdFrom(read),
    ...inviting(read),
    outgoingWebhookNetworks: list(read('OUTGOING_WEBHOOK_ALLOWED_NETWORKS')).map((entry) =>
      subnet('OUTGOING_WEBHOOK_ALLOWED_NETWORKS', entry),
    ),
    pushRelay: pushRelay(webAddress('PUSH_RELAY_URL', read('PUSH_RELAY_URL')), read('PUSH_RELAY_TOKEN')),
    nodeRoles: roles(list(read('NODE_ROLES'))),
    readers: readers(read),
    storesTimeoutSeconds: between('STORES_TIMEOUT_SECONDS', read('STORES_TIMEOUT_SECONDS') ?? '60', {
      min: 0,
      max: 3600,
    }),
    uploadQuota: uploadQuota(read),
    s3: s3From(read),
    backup: backupConfiguration(read),
    tracing: tracingFrom(read),
    reactors: oneOf('REACTORS', read('REACTORS') ?? 'on', ['on', 'off']) === 'on',
  };
  refuseImpossibleRoles(configuration);
  refuseScheduledBackups(configuration);
  return configuration;
}

function listening(
  read: ReadVariable,
): Pick<Configuration, 'host' | 'port' | 'rateLimitPerMinute' | 'publicUrl' | 'trustedProxies'> {
  const rateLimit = read('RATE_LIMIT_PER_MINUTE') ?? '200';
  return {
    host: read('HOST') ?? '127.0.0.1',
    port: wholeNumber('PORT', read('PORT') ?? '9991', 65_535),
    rateLimitPerMinute: wholeNumber('RATE_LIMIT_PER_MINUTE', rateLimit, 1_000_000),
    publicUrl: webAddress('PUBLIC_URL', read('PUBLIC_URL')),
    trustedProxies: list(read('TRUSTED_PROXIES')).map((entry) => network('TRUSTED_PROXIES', entry)),
  };
}

function firstStart(
  read: ReadVariable,
): Pick<Configuration, 'organizationName' | 'ownerEmail' | 'ownerName'> {
  return {
    organizationName: singleLine('ORGANIZATION_NAME', read('ORGANIZATION_NAME') ?? 'Palimpsest'),
    ownerEmail: emailAddress('OWNER_EMAIL', read('OWNER_EMAIL') ?? 'owner@palimpsest.localhost'),
    ownerName: singleLine('OWNER_NAME', read('OWNER_NAME') ?? 'Owner'),
  };
}

/** At least two threads: one is left to what is short. */
function readers(read: ReadVariable): Configuration['readers'] {
  const threads = read('READER_THREADS') ?? String(Math.max(2, availableParallelism() - 1));
  return {
    threads: between('READER_THREADS', threads, { min: 2, max: 64 }),
    timeoutSeconds: between('QUERY_TIMEOUT_SECONDS', read('QUERY_TIMEOUT_SECONDS') ?? '10', {
      min: 1,
      max: 3600,
    }),
  };
}

function uploadQuota(read: ReadVariable): Configuration['uploadQuota'] {
  const mebibytes = (name: string, budget: { readonly max: number }): number =>
    wholeNumber(name, read(name) ?? String(budget.max), 9_999_999);
  return {
    mebibytes: mebibytes('UPLOAD_QUOTA_MIB', budgets.uploadMebibytes),
    mebibytesOfPerson: mebibytes('UPLOAD_QUOTA_PER_PERSON_MIB', budgets.uploadMebibytesOfPerson),
  };
}

function inviting(
  read: ReadVariable,
): Pick<Configuration, 'invitationValidityMinutes' | 'invitationsPerDay'> {
  const validity = read('INVITATION_LINK_VALIDITY_MINUTES') ?? '14400';
  return {
    invitationValidityMinutes: atLeastOne('INVITATION_LINK_VALIDITY_MINUTES', validity),
    invitationsPerDay: wholeNumber('INVITATIONS_PER_DAY', read('INVITATIONS_PER_DAY') ?? '1000', 1_000_000),
  };
}

function singleLine(name: string, value: string): string {
  if (!isSingleLine(value)) throw new ConfigurationError(`${name} must be a name on one line.`);
  return value;
}

function backupConfiguration(read: ReadVariable): BackupConfiguration {
  return { ...backupsFrom(read), s3: s3AccessFrom(read) };
}

function pushRelay(url: string | null, token: string | null): Configuration['pushRelay'] {
  return url === null ? null : { url, token: secret('PUSH_RELAY_TOKEN', token) };
}

function roles(names: readonly string[]): ReadonlySet<NodeRole> {
  return new Set(
    names.length === 0 ? NODE_ROLES : names.map((name) => oneOf('NODE_ROLES', name, NODE_ROLES)),
  );
}

function refuseScheduledBackups({ backup, eventStoreUrl, mongodbUrl }: Configuration): void {
  if (backup.everySeconds === null || (eventStoreUrl === null && mongodbUrl === null)) return;
  throw new ConfigurationError(
    'BACKUP_EVERY is for embedded stores: EventStoreDB and MongoDB have tools of their own (docs/deploy.md, "Backups").',
  );
}

/** Embedded stores are files of one process: whoever splits the work needs both servers. */
function refuseImpossibleRoles({ nodeRoles, eventStoreUrl, mongodbUrl }: Configuration): void {
  if (nodeRoles.size === NODE_ROLES.length || (eventStoreUrl !== null && mongodbUrl !== null)) return;
  throw new ConfigurationError(
    `NODE_ROLES can name one role only when EVENTSTORE_URL and MONGODB_URL are both set: embedded stores serve one process.`,
  );
}
