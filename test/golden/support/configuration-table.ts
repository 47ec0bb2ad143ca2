import { availableParallelism } from 'node:os';
import { prettyJson } from './pretty-json.js';
import { readConfiguration } from './product.js';

/** The values that each variable is tested with. */
const VALUES = [
  '0',
  '1',
  '3',
  '70000',
  '99999999',
  '-1',
  'true',
  'api',
  'projector',
  'warn',
  'RS256',
  'looms.example.com',
  'ada@example.com',
  'Looms <ada@example.com>',
  '10.0.0.0/8',
  '/srv/looms',
  'http://looms.example.com/',
  'esdb://log:2113',
  'mongodb://models/looms',
  'smtp://mail.example.com',
  'a secret of 24 characters',
];

/** Values that are only valid in combination. */
const COMBINATIONS: readonly Readonly<Record<string, string>>[] = [
  { S3_BUCKET: 'files', S3_ENDPOINT: 'http://127.0.0.1:9000/', S3_REGION: 'eu' },
  { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'name', S3_SECRET_ACCESS_KEY: 'secret' },
  { NODE_ROLES: 'api', EVENTSTORE_URL: 'esdb://log:2113', MONGODB_URL: 'mongodb://models/looms' },
  { PUSH_RELAY_URL: 'https://relay.example.com', PUSH_RELAY_TOKEN: 'a token of the relay' },
  { DATA_DIR: '/srv/looms', SERVER_KEY_FILE: '/run/key' },
  { JWT_AUTH_KEY: 'a key that is shared and long enough', JWT_AUTH_REQUIRE_EXPIRY: 'true' },
  { JWT_AUTH_KEY: 'a key that is shared and long enough', JWT_AUTH_ALGORITHMS: 'HS384,HS512' },
  { JWT_AUTH_KEY: 'a key that is shared and long enough', JWT_AUTH_AUDIENCE: 'looms', JWT_AUTH_ISSUER: 'us' },
  { METRICS_TOKEN: 'a secret of 24 characters', METRICS_TOKEN_FILE: '/run/token' },
];

type Environment = Readonly<Record<string, string>>;

/**
 * The variables as documented in the README, and as the program uses them: which ones it reads, their defaults, and
 * for each test value what it changes or the error.
 */
export function configurationTable(readme: string): string {
  const read = namesRead();
  const names = read.filter((name) => !isFile(name));
  const defaults = outcomeOf({}) as Readonly<Record<string, unknown>>;
  return [
    '== What the README says',
    ...documentedRows(readme),
    '',
    '== Without any variable',
    prettyJson(defaults),
    '',
    '== What a value does',
    ...names.flatMap((name) => [name, ...outcomesOfValues(name, defaults)]),
    '',
    '== What several do together',
    ...COMBINATIONS.map((environment) => {
      const given = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
      return `${given.join(' ')}\n  ${described(environment, defaults)}`;
    }),
    '',
    '== What may be in a file',
    ...read.filter(isFile),
  ].join('\n');
}

/** Every variable that the program reads, in alphabetical order. */
function namesRead(): readonly string[] {
  const names = new Set<string>();
  const environment = new Proxy<NodeJS.ProcessEnv>(
    {},
    {
      get: (_target, name) => {
        names.add(String(name));
        return undefined;
      },
    },
  );
  readConfiguration(environment);
  return [...names].sort();
}

/** Whether a variable names a file that contains the value of another variable. */
function isFile(name: string): boolean {
  return name.endsWith('_FILE') && name !== 'SERVER_KEY_FILE';
}

/** The rows of the table below "Configuration", with single spaces. */
function documentedRows(readme: string): readonly string[] {
  const [, chapter = ''] = /^## Configuration\n([\s\S]*?)^## /m.exec(readme) ?? [];
  const rows = chapter.split('\n').filter((line) => /^\| .*`[A-Z]/.test(line));
  return rows.map((row) => row.replaceAll(/ +/g, ' '));
}

/**
 * The effects of a variable's test values. Values with the same effect share a line, in which "*" stands for the
 * value.
 */
function outcomesOfValues(name: string, defaults: Readonly<Record<string, unknown>>): readonly string[] {
  const values = new Map<string, string[]>();
  for (const value of VALUES) {
    const outcome = withoutValue(described({ [name]: value }, defaults), value);
    values.set(outcome, [...(values.get(outcome) ?? []), value]);
  }
  const [[max = ''] = []] = [...values].sort(([, left], [, right]) => right.length - left.length);
  return [...values].map(([outcome, same]) =>
    same.length > 1 && outcome === max ? `  else: ${outcome}` : `  ${same.join(', ')}: ${outcome}`,
  );
}

function withoutValue(outcome: string, value: string): string {
  return outcome
    .replaceAll(`"${value}"`, '"*"')
    .replaceAll(`<working directory>/${value}`, '<working directory>/*');
}

/** What an environment changes in the configuration, or the error. */
function described(environment: Environment, defaults: Readonly<Record<string, unknown>>): string {
  const outcome = outcomeOf(environment);
  return typeof outcome === 'string' ? outcome : changesOf(outcome, defaults);
}

function changesOf(
  configuration: Readonly<Record<string, unknown>>,
  defaults: Readonly<Record<string, unknown>>,
): string {
  const changed = Object.entries(configuration).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(defaults[name]),
  );
  return changed.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(', ') || 'as without it';
}

/** The configuration as plain JSON without values that depend on this machine, or the error. */
function outcomeOf(environment: Environment): Readonly<Record<string, unknown>> | string {
  try {
    const configuration = readConfiguration(environment);
    const text = JSON.stringify(configuration, (name, value: unknown) => plain(name, value));
    return JSON.parse(text.replaceAll(process.cwd(), '<working directory>')) as Readonly<
      Record<string, unknown>
    >;
  } catch (error) {
    return (error as Error).message.replaceAll(process.cwd(), '<working directory>');
  }
}

/** As many threads as the machine has cores, minus one. */
const readersByDefault = Math.max(2, availableParallelism() - 1);

function plain(name: string, value: unknown): unknown {
  if (value instanceof Set) return [...(value as Set<unknown>)];
  return name === 'threads' && value === readersByDefault ? '<cores less one>' : value;
}
