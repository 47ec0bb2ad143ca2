import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { SeededRandom } from '../crash/support/seeded-random.js';
import type { ApiClient } from '../support/api-client.js';
import { TestServer } from '../support/server.js';
import { harmlessOperations, type Operation } from './hostile/documented-operations.js';
import { HostileRequests, type HostileRequest } from './hostile/requests.js';
import { setStage } from './hostile/stage.js';
import { WatchedServer } from './hostile/watched-server.js';

// All of it takes minutes.
jest.setTimeout(1_800_000);

/** What the values are made from. */
const seed = Number(process.env['HOSTILE_SEED'] ?? 1);

/** Whether every value is tried with every parameter, rather than a few with each. */
const isWhole = process.env['HOSTILE_VALUES'] === 'all';

/** How many values are tried with a parameter, and how many requests that are misshapen with an operation. */
const sampled = { texts: 2, others: 1, misshapen: 2 };

let server: TestServer;
let owner: ApiClient;
let watched: WatchedServer;
let requests: readonly HostileRequest[];

beforeAll(async () => {
  server = await TestServer.start();
  owner = await server.owner();
  const random = new SeededRandom(seed);
  const making = new HostileRequests(await setStage(server, owner), random);
  watched = new WatchedServer(server, owner);
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
  requests = (await harmlessOperations(server.site)).flatMap(of);
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

it(`Every request gets a reply as specified (HOSTILE_SEED=${seed})`, async () => {
  const faults: Record<string, string> = {};
  const suspects: HostileRequest[] = [];
  for (let from = 0; from < requests.length; from += 20) {
    const before = await watched.delays();
    for (const request of requests.slice(from, from + 20)) {
      const fault = await watched.faultOf(request);
      if (fault !== null) faults[nameOf(request)] = fault;
    }
    if ((await watched.delays()) > before) suspects.push(...requests.slice(from, from + 20));
  }
  // How long something takes depends on what else the machine does: it is looked at where the whole is run, alone.
  for (const request of isWhole ? suspects : []) {
    if (await watched.holdsUp(request)) faults[nameOf(request)] = 'holds up others';
  }
  expect(faults).toEqual({});
  expect(server.failures).toEqual([]);
  await owner.must('get', 'users/me');
});
