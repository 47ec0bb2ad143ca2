import { afterEach, describe, expect, it } from '@jest/globals';
import { KEY } from './http-toy/endpoints.js';
import { CREDENTIALS, startToyServer, type ToyServer } from './http-toy/server.js';

let server: ToyServer;
afterEach(() => server.close());

function as(user: string, headers: Record<string, string> = {}): Promise<Response> {
  const authorization = `Basic ${Buffer.from(`${user}:${KEY}`).toString('base64')}`;
  return fetch(`${server.origin}/api/v1/caller`, { headers: { authorization, ...headers } });
}

function quotaOf(response: Response): (string | null)[] {
  return ['limit', 'remaining', 'reset'].map((name) => response.headers.get(`x-ratelimit-${name}`));
}

describe('A person', () => {
  it('may send a maximum number of requests in any minute, and sees how many are left', async () => {
    server = await startToyServer({ RATE_LIMIT_PER_MINUTE: '3' });
    const start = server.clock.time / 1000;
    expect(quotaOf(await as('person-1@example.com'))).toEqual(['3', '2', String(start + 60)]);
    server.clock.time += 1_500;
    const failing = await server.call('/things', { headers: { authorization: CREDENTIALS } });
    expect(failing.status).toBe(400);
    expect(quotaOf(failing)).toEqual(['3', '2', String(start + 62)]);
    expect(quotaOf(await as('person-1@example.com'))).toEqual(['3', '1', String(start + 60)]);
    await as('person-1@example.com');

    const refused = await as('person-1@example.com');
    expect(refused.status).toBe(429);
    expect(quotaOf(refused)).toEqual(['3', '0', String(start + 60)]);
    expect(refused.headers.get('retry-after')).toBe('58.5');
    expect(await refused.json()).toEqual({
      result: 'error',
      msg: 'API usage exceeded rate limit',
      'retry-after': 58.5,
      code: 'RATE_LIMIT_HIT',
    });

    server.clock.time += 58_500;
    expect((await as('person-1@example.com')).status).toBe(200);
    expect((await as('person-1@example.com')).status).toBe(429);
  });

  it('is not held up by another', async () => {
    server = await startToyServer({ RATE_LIMIT_PER_MINUTE: '1' });
    expect((await as('person-1@example.com')).status).toBe(200);
    expect((await as('person-1@example.com')).status).toBe(429);
    expect((await as('person-2@example.com')).status).toBe(200);
  });

  it('has a separate limit for polling for events', async () => {
    server = await startToyServer({ RATE_LIMIT_PER_MINUTE: '1' });
    const authorization = CREDENTIALS;
    const hear = (): Promise<Response> => server.call('/heard', { headers: { authorization } });
    const act = (): Promise<Response> => server.call('/caller', { headers: { authorization } });
    expect([(await hear()).status, (await act()).status]).toEqual([200, 200]);
    expect([(await hear()).status, (await act()).status]).toEqual([429, 429]);
  });

  it('has a separate limit for polling for the status of something', async () => {
    server = await startToyServer({ RATE_LIMIT_PER_MINUTE: '1' });
    const headers = { authorization: CREDENTIALS };
    const statuses = async (): Promise<readonly number[]> => {
      const replies = ['/state', '/heard', '/caller'].map((path) => server.call(path, { headers }));
      return (await Promise.all(replies)).map(({ status }) => status);
    };
    expect(await statuses()).toEqual([200, 200, 200]);
    expect(await statuses()).toEqual([429, 429, 429]);
  });

  it('has no limit when limiting is off', async () => {
    server = await startToyServer({ RATE_LIMIT_PER_MINUTE: '0' });
    for (let call = 0; call < 20; call += 1)
      expect(quotaOf(await as('person-1@example.com'))).toEqual([null, null, null]);
  });
});

describe('An address', () => {
  it('may not ask public endpoints without end either', async () => {
    server = await startToyServer({ RATE_LIMIT_PER_MINUTE: '2' });
    const open = (): Promise<Response> => fetch(`${server.origin}/api/v1/open`);
    expect(quotaOf(await open()).slice(0, 2)).toEqual(['2', '1']);
    await open();
    expect((await open()).status).toBe(429);
    expect((await as('person-1@example.com')).status).toBe(200);
  });

  it('may not guess keys at full speed', async () => {
    server = await startToyServer({ TRUSTED_PROXIES: 'loopback', RATE_LIMIT_PER_MINUTE: '200' });
    const guess = (from: string): Promise<Response> => as('nobody@example.com', { 'x-forwarded-for': from });
    const statuses = [];
    for (let call = 0; call < 101; call += 1) statuses.push((await guess('203.0.113.7')).status);
    expect(statuses.slice(0, 100)).toEqual(Array<number>(100).fill(401));
    expect(statuses[100]).toBe(429);
    expect((await guess('203.0.113.8')).status).toBe(401);
    server.clock.time += 60_000;
    expect((await guess('203.0.113.7')).status).toBe(401);
  });

  it('may send right keys however many wrong ones came from there', async () => {
    server = await startToyServer({ RATE_LIMIT_PER_MINUTE: '200' });
    for (let call = 0; call < 100; call += 1) await as('nobody@example.com');
    expect((await as('nobody@example.com')).status).toBe(429);
    expect((await as('person-1@example.com')).status).toBe(200);
  });

  it('is the one behind a trusted proxy, and nobody else may say so', async () => {
    server = await startToyServer({ RATE_LIMIT_PER_MINUTE: '1' });
    const open = (from: string): Promise<Response> =>
      fetch(`${server.origin}/api/v1/open`, { headers: { 'x-forwarded-for': from } });
    expect((await open('203.0.113.7')).status).toBe(200);
    expect((await open('203.0.113.8')).status).toBe(429);
  });

  it('with IPv6 is the network of the subscriber', async () => {
    server = await startToyServer({ RATE_LIMIT_PER_MINUTE: '1', TRUSTED_PROXIES: 'loopback' });
    const open = (from: string): Promise<Response> =>
      fetch(`${server.origin}/api/v1/open`, { headers: { 'x-forwarded-for': from } });
    expect((await open('2001:db8::1')).status).toBe(200);
    expect((await open('2001:db8:0:0:ffff::2')).status).toBe(429);
    expect((await open('2001:db8:0:1::1')).status).toBe(200);
  });
});

describe('A log-in', () => {
  it('is refused after five wrong passwords, with the headers of its own limit', async () => {
    server = await startToyServer({ RATE_LIMIT_PER_MINUTE: '200' });
    const login = (password: string): Promise<Response> =>
      fetch(`${server.origin}/api/v1/login`, {
        method: 'POST',
        body: new URLSearchParams({ username: 'ada@example.com', password }),
      });
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await login('wrong')).status).toBe(401);
    const refused = await login('right');
    expect(refused.status).toBe(429);
    expect(quotaOf(refused)).toEqual(['5', '0', String(server.clock.time / 1000 + 1800)]);
    expect(await refused.json()).toMatchObject({ code: 'RATE_LIMIT_HIT', 'retry-after': 1800 });
  });
});
