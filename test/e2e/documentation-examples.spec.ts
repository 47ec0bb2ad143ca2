import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient, Answer } from '../support/api-client.js';
import { TestServer } from '../support/server.js';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema?: Schema;
    readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
    readonly example?: unknown;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation | undefined>> | undefined>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

let server: TestServer;
let owner: ApiClient;
let bot: ApiClient;
let document: OpenApi;

beforeAll(async () => {
  server = await TestServer.start();
  owner = await server.owner();
  bot = (await server.createBot(owner, 'Storekeeper')).client;
  document = (await (await fetch(`${server.site}/api/docs/try-out.json`)).json()) as OpenApi;
  const me = (await owner.must('get', 'users/me'))['user_id'] as number;
  await owner.must('post', 'messages', { type: 'direct', to: [me], content: '/poll Which?\nOne\nOther' });
});

afterAll(async () => {
  await server.stop();
});

it('The page says of every operation what it does', () => {
  const silent = Object.entries(document.paths).flatMap(([path, item = {}]) =>
    Object.entries(item).flatMap(([verb, operation]) => (operation?.summary ? [] : `${verb} ${path}`)),
  );
  expect(silent).toEqual([]);
});

it('The page shows every optional field of a form empty, or with an example', () => {
  const madeUp = Object.entries(document.paths).flatMap(([path, item = {}]) =>
    Object.entries(item).flatMap(([verb, operation]) => {
      const { properties = {}, required = [] } = formOf(operation ?? {});
      return Object.entries(properties)
        .filter(
          ([name, { example, format }]) =>
            example === undefined && format !== 'binary' && !required.includes(name),
        )
        .map(([name]) => `${verb} ${path}: ${name}`);
    }),
  );
  expect(madeUp).toEqual([]);
});

type Verb = 'get' | 'post' | 'patch' | 'put' | 'delete';

/** Sends what the page shows for an operation, and nothing else. */
async function tryOut(verb: Verb, path: string, filled: string): Promise<Answer> {
  const operation = document.paths[`/api/v1/${path}`]?.[verb];
  if (operation === undefined) throw new Error(`${verb} ${path} is not on the page`);
  const client = path === 'bot_storage' ? bot : owner;
  return client[verb](filled, { ...queryExamples(operation), ...formExamples(operation) });
}

function queryExamples({ parameters = [] }: Operation): Record<string, unknown> {
  const shown = parameters.filter((parameter) => parameter.in === 'query');
  return definedOf(
    shown.map(({ name, schema, content, example }) => {
      const described = schema ?? content?.['application/json']?.schema;
      // Of objects alone Swagger UI makes values up here.
      const madeUp = described?.type === 'object' ? { additionalProp1: {} } : undefined;
      return [name, example ?? described?.example ?? madeUp];
    }),
  );
}

function formExamples(operation: Operation): Record<string, unknown> {
  const { properties = {} } = formOf(operation);
  const filled = Object.entries(properties).map(([name, schema]) => [name, prefilled(schema)] as const);
  // What is left empty is not sent.
  return definedOf(filled.filter(([, value]) => value !== '' && !isEmptyList(value)));
}

function formOf({ requestBody }: Operation): Schema {
  const reference = requestBody?.content['application/x-www-form-urlencoded']?.schema.$ref ?? '';
  return document.components.schemas[reference.split('/').at(-1) ?? ''] ?? {};
}

/** What Swagger UI fills in for a field of a form: its example, or else something that it makes up. */
function prefilled({ example, type, enum: values = [] }: Schema): unknown {
  if (example !== undefined || type === undefined) return example;
  const [madeUp = { string: 'string', integer: 0, boolean: true, object: {}, array: ['string'] }[type]] =
    values;
  return madeUp;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function definedOf(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

describe('what the documentation page shows', () => {
  const snippet = async (): Promise<string> => {
    const { saved_snippets } = await owner.must('get', 'saved_snippets');
    return `saved_snippets/${saved_snippets[0]['id']}`;
  };
  const draft = async (): Promise<string> => {
    const { drafts } = await owner.must('get', 'drafts');
    return `drafts/${drafts[0]['id']}`;
  };
  const lastMessage = async (): Promise<string> =>
    `messages/${await owner.sendToChannel('engines', 'notes', 'Note **G** is ready.')}`;

  it.each<readonly [Verb, string, (string | (() => Promise<string>))?]>([
    ['post', 'messages'],
    ['get', 'messages'],
    ['post', 'users'],
    ['post', 'fetch_api_key'],
    ['post', 'users/me/subscriptions'],
    ['get', 'get_stream_id'],
    ['patch', 'users/me/subscriptions/{stream_id}', 'users/me/subscriptions/1'],
    ['post', 'users/me/subscriptions/properties'],
    ['post', 'user_topics'],
    ['post', 'users/me/subscriptions/muted_topics'],
    ['patch', 'users/me/subscriptions/muted_topics'],
    ['patch', 'messages/{message_id}', lastMessage],
    ['post', 'messages/{message_id}/typing', async () => `${await lastMessage()}/typing`],
    ['post', 'users/me/apns_device_token'],
    ['post', 'audit/operations'],
    ['post', 'messages/flags'],
    ['post', 'messages/flags/narrow'],
    ['get', 'messages/matches_narrow'],
    ['post', 'messages/render'],
    ['post', 'messages/{message_id}/reactions', 'messages/1/reactions'],
    ['delete', 'messages/{message_id}/reactions', 'messages/1/reactions'],
    ['post', 'mark_stream_as_read'],
    ['post', 'mark_topic_as_read'],
    ['post', 'reminders'],
    ['post', 'scheduled_messages'],
    ['post', 'drafts'],
    ['patch', 'drafts/{draft_id}', draft],
    ['post', 'users/me/alert_words'],
    ['delete', 'users/me/alert_words'],
    ['post', 'users/me/status'],
    ['post', 'user_groups/create'],
    ['post', 'bots'],
    ['post', 'channels/create'],
    ['post', 'channel_folders/create'],
    ['patch', 'channel_folders'],
    ['post', 'default_streams'],
    ['delete', 'default_streams'],
    ['post', 'realm/domains'],
    ['patch', 'realm/domains/{domain}', 'realm/domains/example.com'],
    ['post', 'realm/filters'],
    ['post', 'export/realm'],
    ['patch', 'realm/filters/{filter_id}', 'realm/filters/1'],
    ['patch', 'realm/linkifiers'],
    ['post', 'realm/playgrounds'],
    ['post', 'invites'],
    ['delete', 'users/me/subscriptions'],
    ['post', 'saved_snippets'],
    ['get', 'saved_snippets'],
    ['patch', 'saved_snippets/{saved_snippet_id}', snippet],
    ['delete', 'saved_snippets/{saved_snippet_id}', snippet],
    ['post', 'users/me/onboarding_steps'],
    ['post', 'navigation_views'],
    ['get', 'navigation_views'],
    ['patch', 'navigation_views/{fragment}', 'navigation_views/narrow/has/link'],
    ['delete', 'navigation_views/{fragment}', 'navigation_views/narrow/has/link'],
    ['post', 'realm/profile_fields'],
    ['get', 'realm/profile_fields'],
    ['patch', 'realm/profile_fields'],
    ['patch', 'realm/profile_fields/{field_id}', 'realm/profile_fields/1'],
    ['patch', 'users/me/profile_data'],
    ['delete', 'users/me/profile_data'],
    ['delete', 'realm/profile_fields/{field_id}', 'realm/profile_fields/1'],
    ['post', 'users/me/presence'],
    ['get', 'users/{user_id_or_email}/presence', 'users/owner@palimpsest.localhost/presence'],
    ['get', 'realm/presence'],
    ['post', 'typing'],
    ['post', 'submessage'],
    ['put', 'bot_storage'],
    ['get', 'bot_storage'],
    ['delete', 'bot_storage'],
  ])('works as it stands there: %s %s', async (verb, path, filled = path) => {
    const place = typeof filled === 'string' ? filled : await filled();
    const { status, body } = await tryOut(verb, path, place);
    expect({ status, msg: body.msg }).toEqual({ status: 200, msg: '' });
    expect(body['ignored_parameters_unsupported']).toBeUndefined();
  });
});

/** Reads that the page cannot fill in by itself. */
const NOT_FILLED_IN: readonly string[] = [
  // It is for bots only.
  '400 /api/v1/bot_storage',
  // It asks for a queue of the caller's own.
  '400 /api/v1/events',
  // None was made.
  '404 /api/v1/audit/proofs/bundle',
  '404 /api/v1/users/me/data_export/file',
];

it('What reads without a path to fill in works as it stands there', async () => {
  const failed: string[] = [];
  for (const [path, item = {}] of Object.entries(document.paths)) {
    const { get: operation } = item;
    if (operation === undefined || path.includes('{') || !path.startsWith('/api/v1/')) continue;
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(queryExamples(operation)))
      query.append(name, typeof value === 'string' ? value : JSON.stringify(value));
    const { status } = await owner.fetch(`${path}?${query.toString()}`, {});
    if (status !== 200) failed.push(`${status} ${path}`);
  }
  expect(failed.sort()).toEqual(NOT_FILLED_IN);
});
