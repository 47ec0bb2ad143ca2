import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EMAIL, KEY } from './http-toy/endpoints.js';
import { startToyServer, type ToyServer } from './http-toy/server.js';

let server: ToyServer;
beforeAll(async () => {
  server = await startToyServer();
});
afterAll(() => server.close());

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

function caller(authorization: string | null, headers: Record<string, string> = {}): Promise<Response> {
  const credentials = authorization === null ? {} : { authorization };
  return fetch(`${server.origin}/api/v1/caller`, { headers: { ...credentials, ...headers } });
}

describe('Credentials', () => {
  it('tell who calls, with which client, under which id in the log', async () => {
    const headers = { 'user-agent': 'ZulipPython/0.9 CPython', 'x-request-id': 'req-1' };
    const response = await caller(basic(EMAIL, KEY), headers);
    expect(response.headers.get('x-request-id')).toBe('req-1');
    expect(await response.json()).toMatchObject({
      caller: { userId: 7, client: 'ZulipPython', requestId: 'req-1' },
    });
  });

  it('may have any case in the address and spaces around the key', async () => {
    expect((await caller(basic(EMAIL.toUpperCase(), ` ${KEY}\n`))).status).toBe(200);
    expect((await caller(basic(EMAIL, KEY).replace('Basic', 'basic'))).status).toBe(200);
  });

  it.each([
    ['none', null, 'Not logged in: API authentication or user session required'],
    ['a garbled header', 'Basic', 'Invalid authorization header for basic auth'],
    ['what is not base64', 'Basic ####', 'Invalid authorization header for basic auth'],
    [
      'a user without a password',
      `Basic ${Buffer.from('ada').toString('base64')}`,
      'Invalid authorization header for basic auth',
    ],
    ['an empty user', basic('', KEY), 'Invalid authorization header for basic auth'],
    ['another scheme', 'Bearer abc', 'This endpoint requires HTTP basic authentication.'],
    [
      'a scheme that only sounds like it',
      `NotBasic ${basic(EMAIL, KEY).slice(6)}`,
      'This endpoint requires HTTP basic authentication.',
    ],
    ['a malformed key', basic(EMAIL, 'short'), 'Malformed API key'],
    ['a key with more behind it', basic(EMAIL, `${KEY}:anything`), 'Malformed API key'],
    ['a key with a colon behind it', basic(EMAIL, `${KEY}:`), 'Malformed API key'],
    ['an unknown key', basic(EMAIL, 'z'.repeat(32)), 'Invalid API key'],
    ['a key of someone else', basic('bo@example.com', KEY), 'Invalid API key'],
  ])('that are wrong are 401 with a challenge: %s', async (_what, authorization, msg) => {
    const response = await caller(authorization);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Basic realm="zulip"');
    expect(await response.json()).toEqual({ result: 'error', msg, code: 'UNAUTHORIZED' });
  });

  it('are not needed where an endpoint is public, nor looked at there', async () => {
    for (const authorization of ['Basic ####', basic(EMAIL, KEY)]) {
      const response = await fetch(`${server.origin}/api/v1/open`, { headers: { authorization } });
      expect(await response.json()).toMatchObject({ result: 'success', open: true });
    }
  });

  it('that are refused by a public endpoint of its own accord carry no challenge', async () => {
    const body = new URLSearchParams({ username: 'ada', password: 'wrong' });
    const response = await fetch(`${server.origin}/api/v1/login`, { method: 'POST', body });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBeNull();
    expect(await response.json()).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
  });

  it('appear nowhere in the log', async () => {
    await caller(basic(EMAIL, KEY));
    await caller(basic(EMAIL, 'z'.repeat(32)));
    const log = JSON.stringify(server.log);
    for (const secret of [KEY, 'z'.repeat(32), basic(EMAIL, KEY).slice(6)]) expect(log).not.toContain(secret);
  });
});
