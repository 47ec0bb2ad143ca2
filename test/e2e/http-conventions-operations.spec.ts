import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { HealthIndicators } from '../../src/http/monitoring/health.js';
import { stopApplication } from '../../src/http/server/http-application.js';
import { Gate } from './http-toy/endpoints.js';
import { startToyServer, type ToyServer } from './http-toy/server.js';

let server: ToyServer;
beforeEach(async () => {
  server = await startToyServer({ METRICS_TOKEN: 'a token of metrics' });
});
afterEach(() => server.close());

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(server.origin + path, { headers });
}

const withToken = { authorization: 'Bearer a token of metrics' };

function logged(message: string): readonly Readonly<Record<string, unknown>>[] {
  return server.log.filter(({ msg }) => msg === message);
}

describe('The log', () => {
  it('has one line a request, without what was asked or said', async () => {
    const headers = { 'x-request-id': 'req-1', 'user-agent': 'test/1' };
    await (await server.call('/things?content=hush&other=whisper', { headers })).text();
    await (await server.call('/names/mystery')).text();
    expect(logged('request')[0]).toEqual({
      level: 30,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      requestId: 'req-1',
      method: 'GET',
      route: '/api/v1/things',
      status: 200,
      ms: expect.any(Number),
      address: '127.0.0.1',
      userId: 7,
      client: 'test',
      msg: 'request',
    });
    expect(JSON.stringify(server.log)).not.toMatch(/hush|whisper|mystery/);
  });

  it('names the endpoint that answered in the stead of another', async () => {
    await server.call('/things/5', {
      method: 'POST',
      body: new URLSearchParams({ content: 'x', method: 'PATCH' }),
    });
    expect(logged('request')).toMatchObject([{ method: 'PATCH', route: '/api/v1/things/:thing_id' }]);
  });

  it('has the fault of the server that a client is told nothing of, under the id that it is told', async () => {
    const response = await server.call('/broken');
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      result: 'error',
      msg: 'Internal server error',
      code: 'INTERNAL_SERVER_ERROR',
    });
    expect(logged('request failed')).toMatchObject([
      {
        level: 50,
        requestId: response.headers.get('x-request-id'),
        route: '/api/v1/broken',
        err: { message: 'the secret of the house', stack: expect.stringContaining('broken') },
      },
    ]);
  });

  it('has the store that could not be reached, while the client is told to come back', async () => {
    const response = await server.call('/unavailable');
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.text()).not.toContain('10.0.0.1');
    expect(logged('request failed')).toMatchObject([{ err: { message: 'no route to 10.0.0.1' } }]);
  });

  it('is silent about refusals, which are the client’s own affair', async () => {
    await server.call('/things');
    await server.call('/nowhere');
    expect(logged('request failed')).toEqual([]);
  });
});

describe('Health', () => {
  it('is alive and ready', async () => {
    expect(await (await get('/health/live')).json()).toEqual({ status: 'ok' });
    const ready = await get('/health/ready', withToken);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toEqual({ status: 'ok', checks: {} });
    // Strangers are told what a balancer needs.
    expect(await (await get('/health/ready')).json()).toEqual({ status: 'ok' });
  });

  it('is not ready while something that is needed fails, and the log says why', async () => {
    const health = server.application.get(HealthIndicators);
    health.register({ name: 'event-store', check: () => Promise.resolve() });
    health.register({ name: 'read-store', check: () => Promise.reject(new Error('no route to 10.0.0.1')) });
    health.register({
      name: 'projections',
      check: () => {
        throw new Error('never started');
      },
    });
    const stranger = await get('/health/ready');
    expect([stranger.status, await stranger.json()]).toEqual([503, { status: 'failing' }]);
    const ready = await get('/health/ready', withToken);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toEqual({
      status: 'failing',
      checks: { 'event-store': 'ok', 'read-store': 'failing', projections: 'failing' },
    });
    expect(logged('not ready').slice(0, 1)).toMatchObject([
      { checks: { 'read-store': 'no route to 10.0.0.1' } },
    ]);
    expect((await get('/health/live')).status).toBe(200);
  });

  it('leaves out the read models that whoever asks does not count', async () => {
    const health = server.application.get(HealthIndicators);
    const asked: string[][] = [];
    health.register({
      name: 'read-models',
      check: (without) => {
        asked.push([...without]);
        return Promise.resolve();
      },
    });
    await get('/health/ready');
    await get('/health/ready?without=messages,flags');
    expect(asked).toEqual([[], ['messages', 'flags']]);
  });
});

describe('Metrics', () => {
  it('count requests by the pattern of their path', async () => {
    await (await server.call('/names/ada')).text();
    await (await server.call('/names/bo')).text();
    await (await server.call('/no/such/path')).text();
    const text = await (await get('/metrics', withToken)).text();
    const labels = 'method="GET",route="/api/v1/names/:name",status="200"';
    expect(text).toContain(`palimpsest_http_request_duration_seconds_count{${labels}} 2`);
    expect(text).toContain('route="unknown",status="404"');
    expect(text).not.toContain('ada');
  });

  it('are served to requests with the token, from any address', async () => {
    expect((await get('/metrics')).status).toBe(403);
    expect((await get('/metrics', { authorization: 'Bearer wrong' })).status).toBe(403);
    expect((await get('/metrics', withToken)).status).toBe(200);
    expect((await get('/metrics', { ...withToken, 'x-forwarded-for': '203.0.113.7' })).status).toBe(200);
  });

  it('are without a token for this machine, where the server is for this machine alone', async () => {
    const read = async (environment: Record<string, string>): Promise<number> => {
      const other = await startToyServer(environment);
      try {
        return (await fetch(`${other.origin}/metrics`)).status;
      } finally {
        await other.close();
      }
    };
    expect(await read({})).toBe(200);
    expect(await read({ PUBLIC_URL: 'http://localhost:9991' })).toBe(200);
    // Behind a proxy on this machine everybody seems to be here, whatever headers it adds.
    expect(await read({ PUBLIC_URL: 'https://chat.example.com' })).toBe(403);
  });
});

describe('The documentation page', () => {
  it('needs no credentials and loads nothing from elsewhere', async () => {
    const page = await get('/api/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'self';/);
    const html = await page.text();
    const sources = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, source]) => source ?? '');
    expect(sources).toHaveLength(6);
    for (const source of sources) {
      expect(source).not.toMatch(/^[a-z]+:|^\/\//);
      const asset = await get(new URL(source, `${server.origin}/api/docs`).pathname);
      expect(asset.status).toBe(200);
      await asset.arrayBuffer();
    }
  });

  it('has the limit of public endpoints', async () => {
    const limited = await startToyServer({ RATE_LIMIT_PER_MINUTE: '2' });
    const statuses: number[] = [];
    for (const path of [
      '/api/docs/try-out.json',
      '/api/docs-json',
      '/api/docs',
      '/api/docs/swagger-ui-bundle.js',
    ]) {
      statuses.push((await fetch(`${limited.origin}${path}`)).status);
    }
    await limited.close();
    expect(statuses).toEqual([200, 200, 429, 429]);
  });

  it('is put together once, for all its readers', async () => {
    const stringified = jest.spyOn(JSON, 'stringify');
    await get('/api/docs-json');
    await get('/api/docs/try-out.json');
    stringified.mockClear();
    expect(await (await get('/api/docs-json')).json()).toHaveProperty('openapi');
    expect(await (await get('/api/docs/try-out.json')).json()).toHaveProperty('openapi');
    const documents = stringified.mock.calls.filter(([value]) => Object.hasOwn(Object(value), 'openapi'));
    stringified.mockRestore();
    expect(documents).toHaveLength(0);
  });

  it('stands in one place, and shows optional fields empty', async () => {
    const slashed = await get('/api/docs/');
    expect(slashed.url).toBe(`${server.origin}/api/docs`);
    expect(slashed.status).toBe(200);
    const shown = (await (await get('/api/docs/try-out.json')).json()) as {
      components: { schemas: Record<string, { properties: Record<string, { example?: unknown }> }> };
    };
    const examples = Object.entries(shown.components.schemas['ThingParameters']!.properties).map(
      ([name, { example }]) => [name, example],
    );
    expect(Object.fromEntries(examples)).toEqual({
      content: undefined,
      topic: '',
      count: '',
      loud: '',
      ids: [],
      color: '',
      things: [],
      narrow: [],
      to: '',
    });
  });

  it('shows every parameter where the verb takes it, and who may call', async () => {
    interface Operation {
      readonly parameters: readonly { name: string; in: string; required: boolean; content?: object }[];
      readonly requestBody?: { content: Record<string, { encoding: object }> };
      readonly security?: readonly object[];
      readonly responses: object;
    }
    const document = (await (await get('/api/docs-json')).json()) as {
      paths: Record<string, Record<string, Operation>>;
      components: { schemas: Record<string, { required: string[]; properties: Record<string, object> }> };
    };
    const read = document.paths['/api/v1/things']!['get']!;
    expect(read.parameters.map(({ name }) => name)).toEqual([
      'content',
      'topic',
      'count',
      'loud',
      'ids',
      'color',
      'things',
      'narrow',
      'to',
    ]);
    expect(read.parameters[0]).toMatchObject({
      in: 'query',
      required: true,
      description: 'What the thing says',
    });
    expect(read.parameters[4]).toMatchObject({
      content: { 'application/json': { schema: { type: 'array' } } },
    });
    expect(read.security).toEqual([{ basic: [] }]);
    expect(Object.keys(read.responses).sort()).toEqual([
      '200',
      '400',
      '401',
      '404',
      '405',
      '413',
      '429',
      '500',
      '503',
    ]);

    const edit = document.paths['/api/v1/things/{thing_id}']!['patch']!;
    expect(edit.parameters).toMatchObject([{ name: 'thing_id', in: 'path', required: true }]);
    expect(Object.keys(edit.requestBody!.content)).toEqual([
      'application/x-www-form-urlencoded',
      'multipart/form-data',
    ]);
    const json = { contentType: 'application/json' };
    for (const form of Object.values(edit.requestBody!.content)) {
      expect(form.encoding).toEqual({ ids: json, things: json, narrow: json });
    }
    const { ThingParameters } = document.components.schemas;
    expect(ThingParameters!.required).toEqual(['content']);
    expect(ThingParameters!.properties).toMatchObject({
      content: { type: 'string' },
      count: { type: 'integer' },
      ids: { type: 'array' },
      things: { type: 'array' },
      color: { type: 'integer', nullable: true, enum: [1, 2] },
    });
    expect(document.paths['/api/v1/open']!['get']!.security).toBeUndefined();
  });
});

describe('A server that stops', () => {
  it('finishes what is in flight, ends long polls and takes nothing new', async () => {
    const gate = server.application.get(Gate);
    const entered = once(gate.entered, 'now');
    const held = server.call('/held');
    await entered;
    const polling = once(gate.entered, 'now');
    const poll = server.call('/poll');
    await polling;

    const stopped = stopApplication(server.application, 30_000);
    expect(await (await poll).json()).toMatchObject({ result: 'success', events: [] });
    await expect(get('/health/live')).rejects.toThrow();
    gate.released.emit('now');
    expect(await (await held).json()).toMatchObject({ result: 'success', finished: true });
    await stopped;
  });

  it('cuts what does not end in time', async () => {
    const gate = server.application.get(Gate);
    const entered = once(gate.entered, 'now');
    const held = server.call('/held').catch((error: unknown) => error);
    await entered;
    await stopApplication(server.application, 10);
    expect(await held).toMatchObject({ message: 'fetch failed' });
  });
});
