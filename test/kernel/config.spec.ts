import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readConfiguration, unknownVariables } from '../../src/config.js';
import { s3ClientConfiguration } from '../../src/configuration/s3-access.js';
import { budgets } from '../../src/kernel/budgets.js';
import { publicUrl } from '../../src/configuration/public-url.js';
import { ConfigurationError } from '../../src/configuration/configuration-values.js';

interface S3Handler {
  readonly httpAgent: { readonly maxSockets: number };
  readonly httpsAgent: { readonly maxSockets: number };
}

describe('An empty environment', () => {
  it('runs everything in one process on embedded stores under ./var', () => {
    expect(readConfiguration({})).toEqual({
      host: '127.0.0.1',
      port: 9991,
      dataDirectory: resolve('var'),
      eventStoreUrl: null,
      mongodbUrl: null,
      organizationName: 'Palimpsest',
      ownerEmail: 'owner@palimpsest.localhost',
      ownerName: 'Owner',
      logLevel: 'info',
      rateLimitPerMinute: 200,
      publicUrl: null,
      trustedProxies: [],
      serverKeyFile: resolve('var/server.key'),
      metricsToken: null,
      sealing: { events: 1000, seconds: 60 },
      smtpUrl: null,
      mailFrom: null,
      s3: null,
      backup: {
        to: null,
        everySeconds: null,
        keep: 7,
        erasedDays: 30,
        recipient: null,
        withServerKey: false,
        s3: { endpoint: null, region: 'us-east-1', credentials: null },
      },
      reactors: true,
      tracing: null,
      webTokens: null,
      openId: null,
      invitationValidityMinutes: 14_400,
      invitationsPerDay: 1000,
      outgoingWebhookNetworks: [],
      pushRelay: null,
      readers: { threads: Math.max(2, availableParallelism() - 1), timeoutSeconds: 10 },
      storesTimeoutSeconds: 60,
      uploadQuota: { mebibytes: 102_400, mebibytesOfPerson: 10_240 },
      inboundMail: { host: '127.0.0.1', port: null, domain: null },
      nodeRoles: new Set(['api', 'projector']),
    });
  });

  it('is the same as one whose values are empty', () => {
    expect(readConfiguration({ PORT: '', MONGODB_URL: ' ', TRUSTED_PROXIES: ',' })).toEqual(
      readConfiguration({}),
    );
  });
});

describe('A configuration', () => {
  it('traces to a collector when one is named', () => {
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318/',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20mauve, x-tenant = looms',
      OTEL_TRACES_SAMPLER_ARG: '0.05',
    };
    expect(readConfiguration(environment).tracing).toEqual({
      endpoint: 'http://collector.example:4318',
      headers: { authorization: 'Bearer mauve', 'x-tenant': 'looms' },
      serviceName: 'palimpsest',
      share: 0.05,
    });
    expect(readConfiguration({ ...environment, OTEL_EXPORTER_OTLP_ENDPOINT: '' }).tracing).toBeNull();
  });

  it.each([
    { OTEL_TRACES_SAMPLER_ARG: '2' },
    { OTEL_TRACES_SAMPLER_ARG: 'all' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
  ])('names what it cannot trace by: %p', (environment) => {
    expect(() => readConfiguration(environment)).toThrow(Object.keys(environment)[0]);
  });

  it.each(['mauve-secret', 'authorization=mauve secret', 'authorization=%mauve', 'a=b%0Amauve'])(
    'does not repeat headers that it cannot read: %p',
    (headers) => {
      const read = (): unknown => readConfiguration({ OTEL_EXPORTER_OTLP_HEADERS: headers });
      expect(read).toThrow(/^OTEL_EXPORTER_OTLP_HEADERS must be (?!.*mauve)/);
    },
  );

  it.each(['0', 'abc', '1000001'])('names the least number that is possible, also for %j', (value) => {
    for (const name of ['BACKUP_KEEP', 'SEAL_EVERY_SECONDS'])
      expect(() => readConfiguration({ [name]: value })).toThrow(
        `${name} must be a whole number from 1 to 1000000, but is "${value}".`,
      );
  });

  it('keeps uploaded files in a bucket when one is named', () => {
    expect(readConfiguration({ S3_BUCKET: 'files' }).s3).toEqual({
      bucket: 'files',
      endpoint: null,
      region: 'us-east-1',
      credentials: null,
    });
    const credentials = { accessKeyId: 'name', secretAccessKey: 'secret' };
    const environment = {
      S3_BUCKET: 'files',
      S3_ENDPOINT: 'http://127.0.0.1:9000/',
      S3_REGION: 'eu',
      S3_ACCESS_KEY_ID: 'name',
      S3_SECRET_ACCESS_KEY: 'secret',
    };
    const expected = { bucket: 'files', endpoint: 'http://127.0.0.1:9000', region: 'eu', credentials };
    expect(readConfiguration(environment).s3).toEqual(expected);
    // More connections than files may be sent to one account, or to one address without login.
    const most = budgets.openFilesOfAccount.max + budgets.openFilesOfNetwork.max;
    const { httpAgent, httpsAgent } = s3ClientConfiguration(expected).requestHandler as S3Handler;
    expect(Math.min(httpAgent.maxSockets, httpsAgent.maxSockets)).toBeGreaterThan(most);
    expect(() => readConfiguration({ ...environment, S3_SECRET_ACCESS_KEY: '' })).toThrow(ConfigurationError);
  });

  it('keeps the server key in the data directory unless told otherwise', () => {
    expect(readConfiguration({ DATA_DIR: '/srv/p' }).serverKeyFile).toBe('/srv/p/server.key');
    expect(readConfiguration({ DATA_DIR: '/srv/p', SERVER_KEY_FILE: '/run/key' }).serverKeyFile).toBe(
      '/run/key',
    );
  });

  it('takes proxies by address, by network and by name', () => {
    const { trustedProxies } = readConfiguration({ TRUSTED_PROXIES: '10.0.0.0/8, ::1,fd00::/8 , loopback' });
    expect(trustedProxies).toEqual(['10.0.0.0/8', '::1', 'fd00::/8', 'loopback']);
  });

  it('splits the roles when both servers are named', () => {
    const { nodeRoles } = readConfiguration({
      NODE_ROLES: 'projector',
      EVENTSTORE_URL: 'esdb://log:2113',
      MONGODB_URL: 'mongodb://models',
    });
    expect(nodeRoles).toEqual(new Set(['projector']));
  });

  it('names the address that links use: the public one, else the one listened on', () => {
    expect(publicUrl(readConfiguration({ PUBLIC_URL: 'https://chat.example.com/' }))).toBe(
      'https://chat.example.com',
    );
    expect(publicUrl(readConfiguration({ PORT: '0' }), 4321)).toBe('http://127.0.0.1:4321');
    expect(publicUrl(readConfiguration({ HOST: '0.0.0.0' }))).toBe('http://127.0.0.1:9991');
    expect(publicUrl(readConfiguration({ HOST: '::1' }))).toBe('http://[::1]:9991');
  });
});

describe('A bad value', () => {
  it.each([
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['EVENTSTORE_URL', 'http://log'],
    ['EVENTSTORE_URL', 'esdb://'],
    ['MONGODB_URL', 'models:27017'],
    ['OWNER_EMAIL', 'nobody'],
    ['LOG_LEVEL', 'loud'],
    ['RATE_LIMIT_PER_MINUTE', 'many'],
    ['PUBLIC_URL', 'chat.example.com'],
    ['PUBLIC_URL', 'ftp://chat.example.com'],
    ['PUBLIC_URL', 'https://ada:secret@chat.example.com'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0.0.1/8/8'],
    ['TRUSTED_PROXIES', 'proxy'],
    ['OUTGOING_WEBHOOK_ALLOWED_NETWORKS', '10.0.0.0/33'],
    ['OUTGOING_WEBHOOK_ALLOWED_NETWORKS', 'loopback'],
    ['METRICS_TOKEN', 'short'],
    ['NODE_ROLES', 'api,writer'],
    ['BACKUP_TO', 's3://backups/palimpsest     # or a folder'],
  ])('%s=%s stops the start with a sentence that names it', (name, value) => {
    expect(() => readConfiguration({ [name]: value })).toThrow(ConfigurationError);
    expect(() => readConfiguration({ [name]: value })).toThrow(new RegExp(`^${name} .*\\.$`));
  });

  it.each([
    ['EVENTSTORE_URL', 'http://admin:changeit@log'],
    ['MONGODB_URL', 'mongo://admin:changeit@models'],
    ['PUBLIC_URL', 'https://admin:changeit@chat.example.com'],
    ['METRICS_TOKEN', 'changeit'],
  ])('%s is never repeated, since it may hold a secret', (name, value) => {
    expect(() => readConfiguration({ [name]: value })).not.toThrow(/changeit/);
  });

  it('is one role of two on a store that serves one process', () => {
    expect(() => readConfiguration({ NODE_ROLES: 'api', MONGODB_URL: 'mongodb://models' })).toThrow(
      /^NODE_ROLES /,
    );
  });
});

describe('A secret', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-'));
    await writeFile(join(folder, 'token'), 'a token of operators\n');
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('may be in a file', () => {
    const environment = { METRICS_TOKEN_FILE: join(folder, 'token') };
    expect(readConfiguration(environment).metricsToken).toBe('a token of operators');
    expect(unknownVariables(environment)).toEqual([]);
  });

  it('is given in one way, and by a file that can be read', () => {
    const both = { METRICS_TOKEN: 'another token', METRICS_TOKEN_FILE: join(folder, 'token') };
    expect(() => readConfiguration(both)).toThrow('METRICS_TOKEN and METRICS_TOKEN_FILE are both set');
    expect(() => readConfiguration({ METRICS_TOKEN_FILE: join(folder, 'none') })).toThrow(
      /^METRICS_TOKEN_FILE names a file that cannot be read: .*none \(ENOENT\)\.$/,
    );
  });
});
