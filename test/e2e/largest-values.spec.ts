import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import type { ApiClient } from '../support/api-client.js';
import { pngOf } from '../support/images.js';
import { SeededRandom } from '../crash/support/seeded-random.js';
import { TestServer } from '../support/server.js';
import {
  harmlessOperations,
  type DocumentedParameter,
  type Operation,
} from './hostile/documented-operations.js';
import { hasKnownBound, largestValues } from './hostile/largest-values.js';
import { HostileRequests, type HostileRequest } from './hostile/requests.js';
import { setStage } from './hostile/stage.js';
import { unboundedBecause } from './hostile/unbounded-because.js';
import { HELD_UP, replyFault, WatchedServer, type ReceivedReply } from './hostile/watched-server.js';

// Some two thousand requests, many of them as large as a request may be.
jest.setTimeout(1_800_000);

let server: TestServer;
let watched: WatchedServer;
let requests: HostileRequests;
let operations: readonly Operation[];
/** Somebody else. */
let bystander: ApiClient;

const random = new SeededRandom(1);

beforeAll(async () => {
  server = await TestServer.start();
  const owner = await server.owner();
  watched = new WatchedServer(server, owner);
  requests = new HostileRequests(await setStage(server, owner), random);
  bystander = (await server.createUser(owner, 'Bystander')).client;
  operations = await harmlessOperations(server.site);
});

afterAll(async () => {
  await server.stop();
});

/** A request of an operation in which one value is at its bound, or exceeds it by one. */
interface Attempt {
  readonly subject: string;
  readonly request: HostileRequest;
  readonly isLarger: boolean;
}

function attemptsWith(operation: Operation, parameter: DocumentedParameter): Attempt[] {
  const values = largestValues(parameter, random);
  if (values === null) return [];
  const subject = `${operation.method} ${operation.path} ${parameter.name}`;
  return [values.largest, values.larger].flatMap((some, index) =>
    some.map((value) => ({
      subject,
      request: requests.withValue({ operation, parameter, others: othersOf(operation, parameter) }, value),
      isLarger: index === 1,
    })),
  );
}

let made = 0;

/** Other names for what is made, since each name can be taken once, and what a parameter needs beside it. */
function othersOf(
  { method, path }: Operation,
  { name }: DocumentedParameter,
): Readonly<Record<string, unknown>> {
  if (name === 'message_ids') return { anchor: undefined, num_before: undefined, num_after: undefined };
  if (method !== 'POST' || path.endsWith('fetch_api_key')) return { display_in_profile_summary: undefined };
  made += 1;
  return {
    full_name: `Weaver ${made}`,
    short_name: `weaver-${made}`,
    email: `weaver${made}@example.com`,
    name: `weavers ${made}`,
    group_name: `weavers ${made}`,
    pattern: `T${made}x(?P<id>[0-9]+)`,
    fragment: `narrow/is/dm/${made}`,
    subscriptions: [{ name: `weavers ${made}` }],
    display_in_profile_summary: undefined,
    ...(name === 'payload_url' && { bot_type: 3 }),
    ...(name === 'words' && { kind: 'search' }),
  };
}

/** Operations that take a picture beside their parameters: the document does not show the picture. */
const withPicture: ReadonlySet<string> = new Set([
  'POST /api/v1/bots',
  'PATCH /api/v1/bots/{bot_id}',
  'POST /api/v1/realm/icon',
  'POST /api/v1/realm/logo',
]);

function attemptsWithFile(operation: Operation): Attempt[] {
  const { method, path } = operation;
  const takesPicture = withPicture.has(`${method} ${path}`);
  const field = operation.file ?? 'filename';
  const maxFileBytes = takesPicture ? budgets.imageMebibytes.max * 1_048_576 : operation.maxFileBytes;
  if (maxFileBytes === null) return [];
  const attempt = (bytes: number, isLarger: boolean): Attempt => {
    const picture = (): File => new File([pngOf(1, 1), Buffer.alloc(bytes - pngOf(1, 1).length)], 'a.png');
    const request = requests.withFiles({ operation, field, what: `a file of ${bytes} bytes` }, () => [
      picture(),
    ]);
    return { subject: `${method} ${path} ${field}`, request, isLarger };
  };
  return [attempt(maxFileBytes, false), attempt(maxFileBytes + 1, true)];
}

function attempts(isLarger: boolean): readonly Attempt[] {
  return operations
    .flatMap((operation) => [
      ...attemptsWithFile(operation),
      ...operation.parameters.flatMap((parameter) => attemptsWith(operation, parameter)),
    ])
    .filter((attempt) => attempt.isLarger === isLarger);
}

it('Every text, list and file has a maximum that the document shows, or a reason to have none', () => {
  const listed = Object.values(unboundedBecause).flat();
  const unbounded = operations.flatMap((operation) =>
    operation.parameters
      .filter((parameter) => largestValues(parameter, random) !== null && !hasKnownBound(parameter))
      .map(({ name }) => (listed.includes(name) ? name : `${operation.method} ${operation.path} ${name}`)),
  );
  expect([...new Set(unbounded)].sort()).toEqual(listed.toSorted());
  expect(operations.filter(({ file, maxFileBytes }) => file !== null && maxFileBytes === null)).toEqual([]);
});

/** What refusals say of what is too large. */
const size = /too (long|many|large|big)|limit: |at most|maximum|cannot exceed|<=/i;

/** What is refused at its maximum for the size of something else, by the message. */
const otherSizes: Readonly<Record<string, string>> = {
  'The group has too many channels.': 'It has one already.',
};

/** The reply to a request, and whether somebody else had to wait for it. */
async function watchedReply(request: HostileRequest): Promise<ReceivedReply & { readonly holdsUp: boolean }> {
  const before = watched.requestThreadSeconds();
  let isOver = false;
  const reply = watched.replyTo(request).finally(() => {
    isOver = true;
  });
  await Promise.race([reply, bystander.get('users/me')]);
  const isWaited = isOver;
  const { status, text } = await reply;
  return { status, text, holdsUp: isWaited && watched.requestThreadSeconds() - before >= HELD_UP };
}

it('The largest values are accepted, or refused for something else than their size, and nobody waits', async () => {
  const faults: Record<string, string> = {};
  for (const { subject, request } of attempts(false)) {
    const { status, text, holdsUp } = await watchedReply(request);
    const refusal = status === 200 ? '' : text.slice(0, 500);
    const isTooLarge =
      status === 413 || (size.test(refusal) && !Object.keys(otherSizes).some((msg) => refusal.includes(msg)));
    const fault = holdsUp
      ? 'holds up others'
      : (replyFault(request, { status, text }) ?? (isTooLarge ? refusal : null));
    if (fault !== null) faults[`${subject}: ${request.what}`] = fault;
  }
  expect(faults).toEqual({});
  expect(server.failures).toEqual([]);
});

/** What is not refused although it is larger, with the reason. */
const acceptedBecause: Readonly<Record<string, string>> = {
  'POST /api/v1/fetch_api_key second_factor': 'The account has no second factor: the code is not looked at.',
  'PATCH /api/v1/realm/profile_fields/{field_id} field_data':
    'Only of dropdowns: it is not looked at of others.',
  'PATCH /api/v1/bots/{bot_id} service_payload_url':
    'Only of outgoing webhooks: it is not looked at of others.',
};

it('One more than the maximum is refused, and changes nothing', async () => {
  const faults: Record<string, string> = {};
  for (const { subject, request } of attempts(true)) {
    if (subject in acceptedBecause) continue;
    const { status, text } = await watched.replyTo(request);
    if (status < 400 || status >= 500)
      faults[`${subject}: ${request.what}`] = `${status} ${text.slice(0, 300)}`;
    else if (await changesSomething(request)) faults[`${subject}: ${request.what}`] = 'changes something';
  }
  expect(faults).toEqual({});
  expect(server.failures).toEqual([]);
});

/** Whether events are appended each time: reactors append some by themselves. */
async function changesSomething(request: HostileRequest): Promise<boolean> {
  for (let turn = 0; turn < 3; turn += 1) {
    const before = await watched.appendedEvents();
    await watched.replyTo(request);
    if ((await watched.appendedEvents()) === before) return false;
  }
  return true;
}
