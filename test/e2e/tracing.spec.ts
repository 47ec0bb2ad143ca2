import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projections } from '../../projections/registry.js';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { OtlpReceiver, type ReceivedSpan } from '../support/otlp-receiver.js';
import { TestServer } from '../support/server.js';

const secretText = 'The loom is mauve';

let receiver: OtlpReceiver;
let server: TestServer;
let owner: ApiClient;

beforeAll(async () => {
  receiver = await OtlpReceiver.start();
  server = await TestServer.start({
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=looms%20and%20more',
    },
  });
  owner = await server.owner();
  await owner.must('post', 'users/me/subscriptions', {
    subscriptions: JSON.stringify([{ name: 'engines' }]),
  });
});

afterAll(async () => {
  await server.stop();
  await receiver.stop();
});

/** The read models that a message goes into. */
const models = projections.filter(({ on }) => 'MessageSent' in on).map(({ name }) => name);

function sendMessage(content: string): Promise<unknown> {
  return owner.must('post', 'messages', { type: 'channel', to: 'engines', topic: 'notes', content });
}

/**
 * The spans of a request that was answered, once all read models have what came of it: one that took it up together with other
 * appends did so in a trace of its own, which is linked to this one.
 */
async function traceOf(route: string): Promise<readonly ReceivedSpan[]> {
  const isWhole = (spans: readonly ReceivedSpan[]): boolean =>
    models.every((model) => spans.some(({ name }) => name === `project ${model}`));
  return eventually(async () => {
    const request = receiver.spans.findLast(({ name }) => name === `POST ${route}`);
    if (request === undefined) return [];
    const { traceId } = request;
    const linked = receiver.spans.filter(({ links }) => links.some((link) => link.traceId === traceId));
    return [...receiver.trace(traceId), ...linked.filter(({ name }) => name.startsWith('project '))];
  }, isWhole);
}

describe('A message that is sent', () => {
  it('is one trace from the request through its append to each read model', async () => {
    await sendMessage(secretText);
    const spans = await traceOf('/api/v1/messages');
    const one = (name: string): ReceivedSpan => {
      const found = spans.filter((span) => span.name === name);
      expect(found).toHaveLength(1);
      return found[0]!;
    };
    const [request, decision, append] = ['POST /api/v1/messages', 'decide messages', 'append messages'].map(
      one,
    );
    expect(request!.parentSpanId).toBeUndefined();
    expect(request!.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/v1/messages',
      'http.response.status_code': 200,
    });
    for (const part of [decision, append]) expect(part!.parentSpanId).toBe(request!.spanId);
    const waits = spans.filter(({ name }) => name === 'wait for read models');
    expect(waits.map(({ parentSpanId }) => parentSpanId)).toContain(request!.spanId);
    const followers = models.map((model) => one(`project ${model}`));
    for (const { parentSpanId, links } of followers)
      expect([parentSpanId, ...links.map(({ spanId }) => spanId)]).toContain(append!.spanId);
    const { attributes } = append!;
    expect(attributes['palimpsest.event.types']).toEqual(['MessageSent']);
    expect(String(attributes['palimpsest.command.id']).replaceAll('-', '')).toBe(request!.traceId);
    for (const follower of followers) {
      const [sent] = attributes['palimpsest.event.ids'] as readonly string[];
      expect(follower.attributes['palimpsest.event.ids']).toContain(sent);
      expect(BigInt(follower.startTimeUnixNano) >= BigInt(append!.startTimeUnixNano)).toBe(true);
    }
    expect(new Set(spans.map(({ service }) => service))).toEqual(new Set(['palimpsest']));
    expect(receiver.headers['x-tenant']).toBe('looms and more');
  });

  it('is found by its trace in the log of the server', async () => {
    const [request] = await traceOf('/api/v1/messages');
    const line = await eventually(
      () => Promise.resolve(server.log.find((one) => one.includes(request!.traceId))),
      (found) => found !== undefined,
    );
    expect(JSON.parse(line!)).toMatchObject({ route: '/api/v1/messages', msg: 'request' });
  });

  it('is traced without its text and without the people it concerns', async () => {
    await traceOf('/api/v1/messages');
    const sent = receiver.texts.join('\n');
    const { email, user_id: id } = await owner.must('get', 'users/me');
    const key = owner.credentials!.key;
    const hidden = [secretText, 'engines', 'notes', email as string, key, `user-${id}`, `flags-${id}`];
    for (const said of hidden) expect(sent).not.toContain(said);
  });
});

describe('A reactor', () => {
  it('is in the trace of the event that it acts on, and what it writes is linked to it', async () => {
    await server.createUser(owner, 'Ada Quill');
    const spans = await eventually(
      () => Promise.resolve([...receiver.spans]),
      (all) => all.some(({ attributes }) => attributes['palimpsest.causation.id'] !== undefined),
    );
    const effect = spans.find(({ attributes }) => attributes['palimpsest.causation.id'] !== undefined)!;
    const [link] = receiver.trace(effect.traceId).find(({ parentSpanId }) => !parentSpanId)!.links;
    const reaction = await eventually(
      () => Promise.resolve(receiver.spans.find(({ spanId }) => spanId === link!.spanId)),
      (found) => found !== undefined,
    );
    expect(reaction!.name).toMatch(/^react /);
    expect(reaction!.attributes['palimpsest.event.ids']).toEqual([
      effect.attributes['palimpsest.causation.id'],
    ]);
    expect(receiver.trace(reaction!.traceId).map(({ spanId }) => spanId)).toContain(reaction!.parentSpanId);
  });
});

describe('A request that comes with a trace of its caller', () => {
  it('has one of its own, linked to that', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    await server.ready();
    const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    expect((await fetch(`${server.site}/api/v1/server_settings`, { headers })).status).toBe(200);
    const request = await eventually(
      () => Promise.resolve(receiver.spans.find(({ name }) => name === 'GET /api/v1/server_settings')),
      (found) => found !== undefined,
    );
    expect(request!.traceId).not.toBe(traceId);
    // What machines ask for all day has none.
    expect(receiver.spans.filter(({ name }) => name.includes('/health'))).toEqual([]);
    expect(request!.links).toMatchObject([{ traceId, spanId: '00f067aa0ba902b7' }]);
  });
});

describe('A collector that is not there', () => {
  it('holds up no request and no stop, and is named once', async () => {
    const port = await closedPort();
    const lonely = await TestServer.start({
      environment: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` },
    });
    const client = await lonely.owner();
    await client.must('post', 'messages', {
      type: 'direct',
      to: [(await client.must('get', 'users/me'))['user_id']],
      content: 'Hello',
    });
    const warnings = (): Promise<readonly string[]> =>
      Promise.resolve(lonely.log.filter((line) => line.includes('Traces could not be exported')));
    await eventually(warnings, ({ length }) => length > 0);
    await client.must('get', 'users/me');
    await lonely.stop();
    expect(await warnings()).toHaveLength(1);
  });

  it('that takes connections and answers nothing holds up none either', async () => {
    receiver.hold();
    for (let count = 0; count < 5; count += 1) await sendMessage(`Still here ${count}`);
    receiver.release();
  });
});

/** A port of this machine that nobody listens on. */
async function closedPort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const { port } = listener.address() as AddressInfo;
  await new Promise((resolve) => listener.close(resolve));
  return port;
}
