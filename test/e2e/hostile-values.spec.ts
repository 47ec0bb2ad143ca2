import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { SeededRandom } from '../crash/support/seeded-random.js';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { TestServer } from '../support/server.js';
import { documentedOperations, type Operation } from './hostile/documented-operations.js';
import { HostileRequests, type HostileRequest } from './hostile/requests.js';
import { setStage } from './hostile/stage.js';

// All of it takes minutes.
jest.setTimeout(1_800_000);

/** What the values are made from. */
const seed = Number(process.env['HOSTILE_SEED'] ?? 1);

/** Whether every value is tried with every parameter, rather than a few with each. */
const isWhole = process.env['HOSTILE_VALUES'] === 'all';

/** How many values are tried with a parameter, and how many requests that are misshapen with an operation. */
const sampled = { texts: 2, others: 1, misshapen: 2 };

/** Whoever makes these requests has no account or no key afterwards, or finds nobody let in. */
const endings: ReadonlySet<string> = new Set([
  'DELETE /api/v1/users/me',
  'POST /api/v1/users/me/api_key/regenerate',
  'POST /api/v1/realm/deactivate',
]);

/** What is read comes before what is changed, and that before what is taken away. */
const order = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/** A request that is not answered within so many milliseconds is not answered. */
const UNANSWERED = 120_000;

/** Seconds: no machine is so busy three times in a row that it takes this long for what is bounded. */
const HELD_UP = 0.25;

let server: TestServer;
let owner: ApiClient;
let requests: readonly HostileRequest[];

beforeAll(async () => {
  server = await TestServer.start();
  owner = await server.owner();
  const random = new SeededRandom(seed);
  const making = new HostileRequests(await setStage(server, owner), random);
  const operations = [...(await documentedOperations(server.site))].sort(
    (one, other) => order.indexOf(one.method) - order.indexOf(other.method),
  );
  const of = (operation: Operation): HostileRequest[] => [
    ...some(making.misshapen(operation), sampled.misshapen, random),
    ...operation.parameters.flatMap((parameter) => {
      // The server waits for something to tell as long as it is told to.
      if (parameter.name === 'dont_block') return [];
      const isShort = ['boolean', 'integer'].includes(parameter.schema.type ?? '');
      return some(
        making.withOneWrong(operation, parameter),
        isShort ? sampled.others : sampled.texts,
        random,
      );
    }),
  ];
  requests = operations.filter(({ method, path }) => !endings.has(`${method} ${path}`)).flatMap(of);
});

afterAll(async () => {
  await server.stop();
});

function some<Item>(items: readonly Item[], count: number, random: SeededRandom): readonly Item[] {
  if (isWhole) return items;
  const left = [...items];
  return Array.from({ length: Math.min(count, left.length) }, () =>
    left.splice(random.between(0, left.length - 1), 1),
  ).flat();
}

function nameOf({ operation: { method, path }, what }: HostileRequest): string {
  return `${method} ${path}: ${what}`;
}

/** What is wrong with the reply to a request; null: nothing. */
async function faultOf(request: HostileRequest): Promise<string | null> {
  const { url, init } = request.make();
  const submit = (): Promise<Response> => {
    const signal = AbortSignal.timeout(UNANSWERED);
    return owner.submitRequest(url, { ...init, redirect: 'manual', signal });
  };
  try {
    // A node that lags refuses writes: it is asked again, as clients do.
    const response = await eventually(submit, ({ status }) => status !== 503);
    const { status } = response;
    const text = await response.text();
    if (status >= 500) return `${status} ${text}`;
    return request.operation.path.startsWith('/api/') ? envelopeFault(status, text) : null;
  } catch (error) {
    return String(error);
  }
}

/** A reply says whether it is a success, what is wrong if it is none, and nothing but that. */
function envelopeFault(status: number, text: string): string | null {
  // An image or a file that is elsewhere.
  if (status === 302 && text === '') return null;
  const { result, msg, code = '' } = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const isTold = typeof msg === 'string' && typeof code === 'string' && (status === 200) === (msg === '');
  return isTold && result === (status === 200 ? 'success' : 'error')
    ? null
    : `${status} ${text.slice(0, 300)}`;
}

/** How often something has waited longer than {@link HELD_UP} for the thread that answers requests. */
async function delays(): Promise<number> {
  const text = await (await fetch(`${server.site}/metrics`)).text();
  const upTo = (le: string): number => {
    const line = `palimpsest_event_loop_delay_seconds_bucket{le="${le}",thread="request"} `;
    return Number(text.split(line)[1]?.split('\n')[0]);
  };
  return upTo('+Inf') - upTo(String(HELD_UP));
}

/** Whether each of some requests in a row held up the others. */
async function holdsUp(request: HostileRequest): Promise<boolean> {
  for (let turn = 0; turn < 3; turn += 1) {
    const before = await delays();
    await faultOf(request);
    if ((await delays()) === before) return false;
  }
  return true;
}

it(`Every request gets a reply as specified (HOSTILE_SEED=${seed})`, async () => {
  const faults: Record<string, string> = {};
  const suspects: HostileRequest[] = [];
  for (let from = 0; from < requests.length; from += 20) {
    const before = await delays();
    for (const request of requests.slice(from, from + 20)) {
      const fault = await faultOf(request);
      if (fault !== null) faults[nameOf(request)] = fault;
    }
    if ((await delays()) > before) suspects.push(...requests.slice(from, from + 20));
  }
  // How long something takes depends on what else the machine does: it is looked at where the whole is run, alone.
  for (const request of isWhole ? suspects : []) {
    if (await holdsUp(request)) faults[nameOf(request)] = 'holds up others';
  }
  expect(faults).toEqual({});
  expect(server.failures).toEqual([]);
  await owner.must('get', 'users/me');
});
