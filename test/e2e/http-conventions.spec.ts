import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { request as httpRequest } from 'node:http';
import { CREDENTIALS, startToyServer, type ToyServer } from './http-toy/server.js';

let server: ToyServer;
beforeAll(async () => {
  server = await startToyServer();
});
afterAll(() => server.close());

type Reply = Record<string, unknown> & { parameters: Record<string, unknown> };

async function reply(path: string, init?: RequestInit): Promise<Reply> {
  return (await (await server.call(path, init)).json()) as Reply;
}

function form(fields: Record<string, string> | [string, string][], method = 'POST'): RequestInit {
  return { method, body: new URLSearchParams(fields) };
}

function multipart(fields: Record<string, string | Blob>, method = 'POST'): RequestInit {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return { method, body };
}

describe('Parameters', () => {
  it('are read from a query', async () => {
    expect((await reply('/things?content=a+b%26c&count=7')).parameters).toEqual({
      content: 'a b&c',
      count: 7,
    });
  });

  it('are read from a url-encoded body', async () => {
    const { parameters } = await reply('/things', form({ content: 'Grüße & 🐙', ids: '[1,2]' }));
    expect(parameters).toEqual({ content: 'Grüße & 🐙', ids: [1, 2], count: 3 });
  });

  it('are read from a multipart body', async () => {
    const { parameters } = await reply('/things', multipart({ content: 'Grüße & 🐙', ids: '[1,2]' }));
    expect(parameters).toEqual({ content: 'Grüße & 🐙', ids: [1, 2], count: 3 });
  });

  it('may be none at all in a multipart body', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    for (const body of ['', '--b--\r\n']) {
      const sent = await reply('/things', { method: 'POST', body, headers });
      expect(sent).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING' });
    }
  });

  it('are read from a part that calls itself JSON', async () => {
    const body =
      '--b\r\nContent-Disposition: form-data; name="ids"\r\nContent-Type: application/json\r\n\r\n[1,2]\r\n' +
      '--b\r\nContent-Disposition: form-data; name="content"\r\n\r\nx\r\n--b--\r\n';
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    expect((await reply('/things', { method: 'POST', body, headers })).parameters).toMatchObject({
      ids: [1, 2],
    });
  });

  it.each(['PATCH', 'POST'])('are read from the query of a %s as well, and the body wins', async (method) => {
    const path = method === 'PATCH' ? '/things/5' : '/things';
    const { parameters } = await reply(`${path}?content=query&count=7`, form({ content: 'body' }, method));
    expect(parameters).toEqual({ content: 'body', count: 7 });
    expect((await reply(`${path}?content=query`, { method })).parameters).toEqual({
      content: 'query',
      count: 3,
    });
  });

  it('are read from the body of a GET', async () => {
    const body = 'content=body';
    const headers = { authorization: CREDENTIALS, 'content-type': 'application/x-www-form-urlencoded' };
    const text = await new Promise<string>((resolve, reject) => {
      const sent = httpRequest(`${server.origin}/api/v1/things`, {
        headers: { ...headers, 'content-length': 12 },
      });
      sent.on('response', (response) => {
        response.setEncoding('utf8').on('data', resolve);
      });
      sent.on('error', reject);
      sent.end(body);
    });
    expect(JSON.parse(text)).toMatchObject({ verb: 'GET', parameters: { content: 'body' } });
  });

  it('have the last value that was sent', async () => {
    expect((await reply('/things?content=a&content=b')).parameters).toMatchObject({ content: 'b' });
    const twice = form([
      ['content', 'a'],
      ['content', 'b'],
    ]);
    expect((await reply('/things', twice)).parameters).toMatchObject({ content: 'b' });
  });

  it('are not read from a body of another type', async () => {
    const init = { method: 'POST', body: '{"content":"x"}', headers: { 'content-type': 'application/json' } };
    expect(await reply('/things', init)).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'content',
    });
    expect((await reply('/things?content=query', init)).parameters).toMatchObject({ content: 'query' });
  });

  it('that are faulty are named', async () => {
    const response = await server.call('/things?content=x&count=many');
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      result: 'error',
      msg: 'count is not valid JSON',
      code: 'BAD_REQUEST',
    });
  });

  it('in a path are ids or names, decoded', async () => {
    expect(await reply('/things/12', form({ content: 'x' }, 'PATCH'))).toMatchObject({ thingId: 12 });
    expect(await reply('/names/a%2Fb%20%C3%A4')).toMatchObject({ name: 'a/b ä' });
    for (const path of ['/things/x', '/things/-1', '/things/1.5', '/things/99999999999999999999']) {
      expect((await server.call(path, form({ content: 'x' }, 'PATCH'))).status).toBe(404);
    }
    expect((await server.call('/names/a%00b')).status).toBe(404);
    expect((await server.call('/names/%zz')).status).toBe(400);
  });

  it('never stop the server, with any text', async () => {
    const names = fc.constantFrom(
      'content',
      'topic',
      'subject',
      'count',
      'loud',
      'ids',
      'color',
      'things',
      'narrow',
      'to',
      'method',
      '__proto__',
      'constructor',
    );
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.json());
    const fields = fc.array(fc.tuple(names, text), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fields, fields, fc.boolean(), async (inQuery, inBody, asForm) => {
        const wellFormed = inBody.map(([name, value]) => [name, value.toWellFormed()] as [string, string]);
        const query = new URLSearchParams(
          inQuery.map(([name, value]): [string, string] => [name, value.toWellFormed()]),
        );
        const init = asForm ? form(wellFormed) : multipart(Object.fromEntries(wellFormed));
        const response = await server.call(`/things?${query.toString()}`, init);
        expect(response.status).toBeLessThan(500);
        expect(await response.json()).toHaveProperty('result');
      }),
      { numRuns: 150 },
    );
  });

  it('never stop the server, in any encoding', async () => {
    const raw = fc.string({
      unit: fc.constantFrom('%', '&', '=', 'c', 'o', '0', 'z', ';', '+', 'content', '%f0', '%00'),
    });
    await fc.assert(
      fc.asyncProperty(raw, async (body) => {
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        const response = await server.call('/things', { method: 'POST', body, headers });
        expect(response.status).toBeLessThan(500);
        const bytes = `--b\r\nContent-Disposition: form-data; name="content"\r\n\r\n${body}\r\n--${body}--`;
        const torn = { 'content-type': 'multipart/form-data; boundary=b' };
        const other = await server.call('/things', { method: 'POST', body: bytes, headers: torn });
        expect(other.status).toBeLessThan(500);
      }),
      { numRuns: 100 },
    );
  });
});

describe('Parameters that an endpoint does not know', () => {
  it('are named in a success, wherever they came from', async () => {
    const sent = await reply(
      '/things/5?query=1&topic=t',
      form({ content: 'x', body: '1', subject2: '' }, 'PATCH'),
    );
    expect(sent['ignored_parameters_unsupported']).toEqual(['body', 'subject2', 'query']);
  });

  it('are all of them, where an endpoint takes none', async () => {
    expect(await reply('/things/5?content=x', { method: 'DELETE' })).toEqual({
      result: 'success',
      msg: '',
      ignored_parameters_unsupported: ['content'],
    });
  });

  it('are not spoken of in an error', async () => {
    expect(await reply('/things?other=1')).not.toHaveProperty('ignored_parameters_unsupported');
  });

  it('are not those of the path, nor an alias, nor the verb', async () => {
    const sent = await reply('/things/5', form({ content: 'x', subject: 's', method: 'PATCH' }));
    expect(sent).not.toHaveProperty('ignored_parameters_unsupported');
    expect(sent).toMatchObject({ verb: 'PATCH', thingId: 5, parameters: { topic: 's' } });
  });
});

describe('A reply', () => {
  it('is 200 with the envelope for every verb', async () => {
    const response = await server.call('/things', form({ content: 'x' }));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('cache-control')).toBe(
      'max-age=0, no-cache, no-store, must-revalidate, private',
    );
    expect(await response.json()).toMatchObject({ result: 'success', msg: '', verb: 'POST' });
    expect(await reply('/things/5', { method: 'DELETE' })).toEqual({ result: 'success', msg: '' });
  });

  it('may be JSON text already, which is sent byte for byte', async () => {
    const response = await server.call('/raw');
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.text()).toBe('{"result":"success","msg":"","messages":[{"id":1,"content":"ä"}]}');
    expect(await (await server.call('/raw/empty?a=1')).text()).toBe(
      '{"result":"success","msg":"","ignored_parameters_unsupported":["a"]}',
    );
  });

  it('to HEAD has the headers of GET and no body', async () => {
    const get = await server.call('/things?content=x');
    const head = await server.call('/things?content=x', { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    expect(await head.text()).toBe('');
  });

  it('carries the error of the table with its fields', async () => {
    const response = await server.call('/things/404', { method: 'DELETE' });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      result: 'error',
      msg: 'Invalid message(s)',
      code: 'BAD_REQUEST',
    });
  });
});

describe('A path', () => {
  it('that is unknown is 404, with or without credentials', async () => {
    for (const response of [await server.call('/no/such'), await fetch(`${server.origin}/elsewhere`)]) {
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ result: 'error', msg: 'Not found', code: 'NOT_FOUND' });
    }
  });

  it('that is known under other verbs is 405 and names them', async () => {
    const response = await server.call('/things', { method: 'PUT' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, POST, HEAD');
    expect(await response.json()).toEqual({
      result: 'error',
      msg: 'Method Not Allowed',
      allowed_methods: ['GET', 'POST', 'HEAD'],
    });
  });

  it('is none of a resource that it cannot name', async () => {
    const answers = async (method: string, path: string) => {
      const { status, headers } = await server.call(path, { method });
      return [status, headers.get('allow')];
    };
    expect(await answers('PATCH', '/things/order')).toEqual([405, 'POST']);
    expect((await server.call('/things/order', form({ method: 'PATCH' }))).status).toBe(405);
    expect(await answers('PUT', '/things/order')).toEqual([405, 'POST']);
    expect(await answers('OPTIONS', '/things/order')).toEqual([204, 'POST']);
    expect(await answers('PATCH', '/things/other')).toEqual([404, null]);
    expect(await answers('PUT', '/things/other')).toEqual([404, null]);
    expect(await answers('GET', '/names/')).toEqual([404, null]);
    expect(await answers('PUT', '/names/')).toEqual([404, null]);
    expect((await server.call('/names/', form({ method: 'GET' }))).status).toBe(404);
  });

  it('tells its verbs to OPTIONS, and lets pages of other origins send credentials', async () => {
    const response = await fetch(`${server.origin}/api/v1/things/5`, { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('allow')).toBe('PATCH, DELETE');
    expect(response.headers.get('access-control-allow-headers')).toBe('Authorization');
    expect((await fetch(`${server.origin}/api/v1/nowhere`, { method: 'OPTIONS' })).status).toBe(404);
  });
});

describe('A POST with the form field `method`', () => {
  it('is taken for that verb, in either encoding, also where the path knows no POST', async () => {
    expect(await reply('/things/5', form({ content: 'x', method: 'patch' }))).toMatchObject({
      verb: 'PATCH',
      thingId: 5,
    });
    expect(await reply('/things/5', multipart({ content: 'x', method: 'PATCH' }))).toMatchObject({
      verb: 'PATCH',
    });
    expect(await reply('/things', form({ content: 'x', method: 'GET' }))).toMatchObject({ verb: 'GET' });
    expect(await reply('/things', form({ content: 'x', method: 'POST' }))).toMatchObject({ verb: 'POST' });
  });

  it('is 405 for a verb that the path does not know, and 404 for a path that does not exist', async () => {
    for (const method of ['PUT', 'BREW', '']) {
      expect((await server.call('/things/5', form({ content: 'x', method }))).status).toBe(405);
    }
    expect((await server.call('/nowhere', form({ method: 'PATCH' }))).status).toBe(404);
  });

  it('needs credentials as that verb does', async () => {
    const init = form({ content: 'x', method: 'PATCH' });
    expect((await fetch(`${server.origin}/api/v1/things/5`, init)).status).toBe(401);
  });
});

describe('A request that is too large', () => {
  const large = 'x'.repeat(1_100_000);

  it.each([
    ['a form', form({ content: large })],
    ['a multipart form', multipart({ content: large })],
    [
      'a multipart form of many parts',
      multipart(Object.fromEntries(Array.from({ length: 1_200 }, (_, at) => [`f${at}`, 'x']))),
    ],
    [
      'a form of many fields',
      form(Array.from({ length: 1_200 }, (_, at) => [`f${at}`, 'x'] as [string, string])),
    ],
    ['any other body', { method: 'POST', body: large, headers: { 'content-type': 'text/plain' } }],
  ])('as %s is 413 in the envelope', async (_what, init) => {
    const response = await server.call('/things', init);
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({
      result: 'error',
      msg: 'Request is too large',
      code: 'BAD_REQUEST',
    });
  });

  it.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=b'])(
    'is 413 when its length is not announced (%s)',
    async (type) => {
      const start = type.startsWith('multipart')
        ? '--b\r\nContent-Disposition: form-data; name="content"\r\n\r\n'
        : 'content=';
      const body = new Blob([start, large]).stream();
      const init = { method: 'POST', body, duplex: 'half', headers: { 'content-type': type } } as RequestInit;
      expect((await server.call('/things', init)).status).toBe(413);
    },
  );

  it('as a query of many fields is 413', async () => {
    expect((await server.call(`/things?${'a=1&'.repeat(1_200)}`)).status).toBe(413);
  });

  it('as a line or headers beyond measure is 431, and the content of a long message in a query is not', async () => {
    const response = await server.call(`/things?content=${'x'.repeat(200_000)}`);
    expect(response.status).toBe(431);
    expect(await response.json()).toMatchObject({ result: 'error', msg: 'Request is too large' });
    const long = encodeURIComponent('語'.repeat(10_000));
    expect((await server.call(`/things/5?topic=${long}&content=x`, { method: 'PATCH' })).status).toBe(200);
  });

  it('leaves the server well', async () => {
    expect((await server.call('/things?content=x')).status).toBe(200);
  });
});

describe('A file', () => {
  it('is refused where none is expected', async () => {
    const response = await server.call('/things', multipart({ content: 'x', file: new Blob(['abc']) }));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'BAD_REQUEST', msg: 'Unexpected file' });
  });

  it.each([
    ['credentials are missing', 'POST /things', 401],
    ['the path is unknown', 'POST /nowhere', 404],
    ['the path does not fit its pattern', 'PATCH /things/x', 404],
    ['the method is another', 'PATCH /things/order', 405],
  ])('does not hide that %s', async (_what, request, status) => {
    const [method, path] = request.split(' ') as [string, string];
    const init = multipart({ file: new Blob(['abc']), content: 'x' }, method);
    expect((await fetch(`${server.origin}/api/v1${path}`, init)).status).toBe(status);
  });

  it('does not hide the verb that a field after it names', async () => {
    const response = await server.call(
      '/things',
      multipart({ file: new Blob(['abc']), method: 'PUT', content: 'x' }),
    );
    expect(response.status).toBe(405);
  });

  it('is left to the endpoint that wants it, of any size', async () => {
    const response = await server.call('/files', multipart({ file: new Blob(['x'.repeat(2_000_000)]) }));
    expect(response.status).toBe(200);
  });
});
