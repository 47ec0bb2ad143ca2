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
import {
  backupsFrom,
  refuseScheduledBackups,
  type BackupConfiguration,
} from './configuration/backup-configuration.js';
import { openIdFrom, type OpenIdConfiguration } from './configuration/open-id-configuration.js';
import { misspelledVariables } from './configuration/misspelled-variables.js';
import { tracingFrom } from './configuration/tracing-configuration.js';
import type { TracingOptions } from './runtime/tracing/tracer.js';
import { s3From, s3AccessFrom, type S3Configuration } from './configuration/s3-access.js';
import { fileVariableOf, secretVariables, secretFromFile } from './configuration/secret-files.js';
import { webTokensFrom, type WebTokenConfiguration } from './configuration/web-token-configuration.js';
import { budgets } from './kernel/budgets.js';
import { isSingleLine } from './kernel/text.js';
import { mailFrom, type MailConfiguration } from './configuration/mail-configuration.js';
import { roles, refuseImpossibleRoles, type NodeRole } from './configuration/node-roles.js';

/** A log level of pino. */
export type LogLevel = (typeof logLevels)[number];

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** The configuration, read from the environment and validated once when the process starts. */
export interface Configuration extends MailConfiguration {
  /** `HOST`: the address to listen on. */
  readonly host: string;
  /** `PORT`; 0: any free port. */
  readonly port: number;
  /** `DATA_DIR`, absolute: embedded stores, keys, the owner's credentials, the control socket. */
  readonly dataDirectory: string;
  /** `EVENTSTORE_URL`; null: the embedded event store. */
  readonly eventStoreUrl: string | null;
  /** `MONGODB_URL`; null: embedded read models, keys and credentials. */
  readonly mongodbUrl: string | null;
  /** `ORGANIZATION_NAME`, `OWNER_EMAIL` and `OWNER_NAME` are used only on the first start. */
  readonly organizationName: string;
  readonly ownerEmail: string;
  readonly ownerName: string;
  /** `LOG_LEVEL`. */
  readonly logLevel: LogLevel;
  /** `RATE_LIMIT_PER_MINUTE`: requests that an account may send in any 60 seconds; 0 disables all rate limits. */
  readonly rateLimitPerMinute: number;
  /**
   * `PUBLIC_URL` without a trailing slash: the address in links and in the credentials file. Null: see the function
   * {@link publicUrl}.
   */
  readonly publicUrl: string | null;
  /** `TRUSTED_PROXIES`: addresses and networks whose `X-Forwarded-*` headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** `SERVER_KEY_FILE`: the key that wraps all other keys. */
  readonly serverKeyFile: string;
  /** `METRICS_TOKEN`: the bearer token with which other machines can read `/metrics`; null: only this machine can. */
  readonly metricsToken: string | null;
  /** `SEAL_EVERY_EVENTS` and `SEAL_EVERY_SECONDS`: the log is sealed as soon as either limit is reached. */
  readonly sealing: { readonly events: number; readonly seconds: number };
  /**
   * `JWT_AUTH_KEY` and the other variables with this prefix: how tokens that sign people in are verified; null:
   * tokens are not accepted.
   */
  readonly webTokens: WebTokenConfiguration | null;
  /**
   * `OIDC_ISSUER` and related variables: the OpenID Connect provider that signs people in, besides passwords; null:
   * none.
   */
  readonly openId: OpenIdConfiguration | null;
  /** `INVITATION_LINK_VALIDITY_MINUTES`: how long an invitation is valid if it does not specify that itself. */
  readonly invitationValidityMinutes: number;
  /** `INVITATIONS_PER_DAY`: how many invitations can be sent by e-mail in a day; 0: no limit. */
  readonly invitationsPerDay: number;
  /**
   * `OUTGOING_WEBHOOK_ALLOWED_NETWORKS`: private addresses and networks to which outgoing webhooks may send
   * requests.
   */
  readonly outgoingWebhookNetworks: readonly string[];
  /** `PUSH_RELAY_URL` and `PUSH_RELAY_TOKEN`: the service that delivers notifications to devices; null: none. */
  readonly pushRelay: { readonly url: string; readonly token: string | null } | null;
  /** `NODE_ROLES`. */
  readonly nodeRoles: ReadonlySet<NodeRole>;
  /**
   * `READER_THREADS` and `QUERY_TIMEOUT_SECONDS`: the number of threads for long queries, and the timeout of a
   * query.
   */
  readonly readers: { readonly threads: number; readonly timeoutSeconds: number };
  /** `STORES_TIMEOUT_SECONDS`: how long a starting process waits for the servers of its stores. */
  readonly storesTimeoutSeconds: number;
  /** `UPLOAD_QUOTA_MIB` and `UPLOAD_QUOTA_PER_PERSON_MIB`: the storage that uploads may use. */
  readonly uploadQuota: { readonly mebibytes: number; readonly mebibytesOfPerson: number };
  /** `S3_BUCKET` and related variables: the store of uploaded files; null: the data directory. */
  readonly s3: S3Configuration | null;
  /** `BACKUP_TO` and related variables. */
  readonly backup: BackupConfiguration;
  /** `OTEL_EXPORTER_OTLP_ENDPOINT` and related variables: where traces are sent; null: tracing is off. */
  readonly tracing: TracingOptions | null;
  /** `REACTORS`: whether this process runs the reactors and jobs, which for example send e-mails. */
  readonly reactors: boolean;
}

/**
 * Reads the configuration. An empty value counts as absent. A secret may be in a file instead: see
 * {@link secretVariables}.
 *
 * @throws ConfigurationError for the first invalid value; the message never repeats a value that may contain a
 *   secret
 */
export function readConfiguration(environment: NodeJS.ProcessEnv): Configuration {
  return configurationFrom(
    (name) => (secretFromFile(environment, name) ?? environment[name])?.trim() || null,
  );
}

/** Warnings about environment variables that look like misspelled variables of this program. */
export function unknownVariables(environment: NodeJS.ProcessEnv): readonly string[] {
  const known = new Set<string>(secretVariables.map(fileVariableOf));
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
    logLevel: oneOf('LOG_LEVEL', read('LOG_LEVEL') ?? 'info', logLevels),
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

/** At least two threads, so that one is always free for short queries. */
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
