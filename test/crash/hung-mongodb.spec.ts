import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { describeOnMongo } from '../contract/mongo-database.js';
import { ImpatientClient, type Answer, type ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { MongoLink, type Unanswered } from '../support/mongodb-link.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

const MINUTE = 60_000;

/** How long the server waits for MongoDB, and for one query, as by default: in seconds. */
const TIMEOUT_SECONDS = 10;

/** What a request may take, in milliseconds: one wait for each of two stores, and what a busy machine adds. */
const MAX_WAIT = 2 * TIMEOUT_SECONDS * 1_000 + 30_000;

/** Longer than leases are held without being renewed, until all of them are asked for anew, in milliseconds. */
const HELD = 30_000;

/** What is answered meanwhile: what needs no look at MongoDB, a wrong password, and that the rest is unavailable. */
const SPECIFIED = new Set([200, 401, 503]);

/** In milliseconds: longer than readiness takes to follow what MongoDB does, on a machine that is busy or stands still for a while. */
const NOTICED = 60_000;

let stores: ServerStores;
let link: MongoLink;
let server: TestServer;
let owner: ApiClient;
let client: ImpatientClient;

interface Readiness {
  readonly status: number;
  readonly checks: Readonly<Record<string, string>>;
}

async function readiness(): Promise<Readiness> {
  const response = await fetch(`${server.site}/health/ready`);
  return { status: response.status, checks: ((await response.json()) as Readiness).checks };
}

const isReady = ({ status }: Readiness): boolean => status === 200;

/** What came of a request, and how long that took. */
interface Outcome {
  readonly name: string;
  readonly status: number;
  readonly code: string | undefined;
  readonly took: number;
}

function outcomes(asked: Readonly<Record<string, Promise<Answer>>>): Promise<readonly Outcome[]> {
  const begun = performance.now();
  return Promise.all(
    Object.entries(asked).map(async ([name, answer]) => {
      const { status, body } = await answer;
      return { name, status, code: body.code, took: performance.now() - begun };
    }),
  );
}

const message = (content: string): Readonly<Record<string, unknown>> => ({
  type: 'channel',
  to: 'engines',
  topic: 'notes',
  content,
});

/** Every message of the channel, as it was written. */
async function texts(): Promise<readonly string[]> {
  const asked = { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false };
  const { messages } = await owner.must('get', 'messages', asked);
  return (messages as { readonly content: string }[]).map(({ content }) => content);
}

/** One of everything that people ask for, all at once. */
function askForEverything(id: number, name: string): Readonly<Record<string, Promise<Answer>>> {
  const page = { anchor: 'newest', num_before: 20, num_after: 0 };
  const narrow = [{ operator: 'search', operand: 'Note' }];
  return {
    page: client.get('messages', page),
    search: client.get('messages', { ...page, narrow }),
    unread: client.get('messages', { ...page, narrow: [{ operator: 'is', operand: 'unread' }] }),
    one: client.get(`messages/${id}`),
    history: client.get(`messages/${id}/history`),
    people: client.get('users'),
    drafts: client.get('drafts'),
    uploads: client.get('attachments'),
    invitations: client.get('invites'),
    scheduled: client.get('scheduled_messages'),
    register: client.post('register', {}),
    presence: client.post('users/me/presence', { status: 'active' }),
    key: new ImpatientClient(server.site, null).post('fetch_api_key', {
      username: 'somebody@example.com',
      password: 'wrong',
    }),
    send: client.post('messages', message(`Sent in ${name}.`)),
    edit: client.patch(`messages/${id}`, { content: `Edited in ${name}.` }),
    star: client.post('messages/flags', { messages: [id], op: 'add', flag: 'starred' }),
    draft: client.post('drafts', {
      drafts: [{ type: 'stream', to: [1], topic: 'notes', content: name, timestamp: 1 }],
    }),
  };
}

describeOnMongo('A server whose MongoDB hangs', () => {
  beforeAll(async () => {
    stores = await ServerStores.onServers();
    const url = stores.environment['MONGODB_URL']!;
    link = await MongoLink.to(url);
    const environment = {
      ...stores.environment,
      MONGODB_URL: `${link.urlOf(url)}?serverSelectionTimeoutMS=${TIMEOUT_SECONDS * 1_000}`,
      QUERY_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS),
    };
    server = await TestServer.start({ stores, environment });
    owner = await server.owner();
    await owner.createChannel('engines');
    client = ImpatientClient.of(owner);
  });

  afterEach(() => link.mend());

  afterAll(async () => {
    await server.stop();
    await link.close();
    await stores.close();
  });

  it.each<Unanswered>(['everything', 'all but greetings'])(
    'refuses in bounded time what it cannot answer (%s waits), loses nothing that it acknowledged, and goes on',
    async (what) => {
      const id = await owner.sendToChannel('engines', 'notes', `Note before ${what}.`);
      await eventually(readiness, isReady);
      link.hold(what);
      const since = performance.now();
      const acknowledged: string[] = [];
      for (let round = 1; performance.now() - since < HELD; round += 1) {
        const answers = await outcomes(askForEverything(id, `${what}, round ${round}`));
        expect(answers.filter(({ took }) => took > MAX_WAIT)).toEqual([]);
        expect(answers.filter(({ status }) => !SPECIFIED.has(status))).toEqual([]);
        if (answers.find(({ name }) => name === 'send')?.status === 200)
          acknowledged.push(`Sent in ${what}, round ${round}.`);
      }
      // The event store may not answer in time on a busy machine.
      const { status, checks } = await eventually(readiness, (now) => now.checks['event-store'] === 'ok');
      expect([status, checks]).toEqual([503, { 'event-store': 'ok', 'read-models': 'failing' }]);
      link.mend();
      await eventually(readiness, isReady);
      acknowledged.push(`Note after ${what}.`);
      await owner.sendToChannel('engines', 'notes', `Note after ${what}.`);
      // A reply waits two seconds for the read model, whose lease the projector may have to take anew.
      const kept = await eventually(texts, (now) => acknowledged.every((text) => now.includes(text)));
      expect(kept).toHaveLength(new Set(kept).size);
      expect(server.log.filter((line) => line.includes('MaxListenersExceeded'))).toEqual([]);
    },
    10 * MINUTE,
  );

  it.each<Unanswered>(['everything', 'all but greetings'])(
    'is not ready within seconds (%s waits), says why, and is ready again as soon as it is answered',
    async (what) => {
      await eventually(readiness, isReady);
      const logged = server.log.length;
      link.hold(what);
      const since = performance.now();
      await eventually(readiness, (answer) => !isReady(answer));
      expect(performance.now() - since).toBeLessThan(NOTICED);
      // A model that is behind may be the first reason; every look at readiness logs what the reasons are now.
      const reason =
        /"read-models":"[^"]*nothing could be read for \d+ ms: (no answer|MongoDB cannot go on: )/;
      await eventually(
        async () => {
          await readiness();
          return server.log.slice(logged).join('\n');
        },
        (lines) => reason.test(lines),
      );
      link.mend();
      const mended = performance.now();
      await eventually(readiness, isReady);
      expect(performance.now() - mended).toBeLessThan(NOTICED);
    },
    10 * MINUTE,
  );

  it('still serves its metrics, without those that need MongoDB', async () => {
    const metrics = async (): Promise<string> => (await fetch(`${server.site}/metrics`)).text();
    const discarded = /^palimpsest_projection_discarded_events\{/m;
    const unread =
      /^palimpsest_metrics_unread_total\{metric="palimpsest_projection_discarded_events"\} [1-9]/m;
    await eventually(metrics, (text) => discarded.test(text));
    link.hold('all but greetings');
    const asked = performance.now();
    expect(await metrics()).not.toMatch(discarded);
    expect(performance.now() - asked).toBeLessThan(TIMEOUT_SECONDS * 1_000);
    expect(await metrics()).toMatch(unread);
    link.mend();
    await eventually(metrics, (text) => discarded.test(text));
  });
});
