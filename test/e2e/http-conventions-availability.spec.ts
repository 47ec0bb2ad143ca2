import { afterEach, describe, expect, it } from '@jest/globals';
import { registerAvailability, type Availability } from '../../src/http/server/availability.js';
import { startToyServer, type ToyServer } from './http-toy/server.js';

let server: ToyServer;

afterEach(async () => {
  await server.close();
});

async function start(availability: Availability): Promise<void> {
  server = await startToyServer({}, (application) => registerAvailability(application, availability));
}

async function outcomes(): Promise<readonly [read: number, write: Response, health: number]> {
  const read = await server.call('/caller');
  const write = await server.call('/login', { method: 'POST' });
  const health = await fetch(`${server.origin}/health/live`);
  return [read.status, write, health.status];
}

describe('a process', () => {
  it('that lags behind the log answers readers and sends writers elsewhere', async () => {
    let behind = true;
    await start({ answersRequests: true, acceptsWrites: () => !behind });
    const [read, write, health] = await outcomes();
    expect([read, write.status, health]).toEqual([200, 503, 200]);
    expect(await write.json()).toMatchObject({ result: 'error', code: 'SERVICE_UNAVAILABLE' });
    behind = false;
    expect((await outcomes())[1].status).not.toBe(503);
  });

  it('that lags behind the log judges a POST by the verb that it asks for', async () => {
    await start({ answersRequests: true, acceptsWrites: () => false });
    const asking = async (method: string): Promise<number> => {
      const body = new URLSearchParams({ method });
      return (await server.call('/things/7', { method: 'POST', body })).status;
    };
    expect([await asking('PATCH'), await asking('DELETE'), await asking('POST')]).toEqual([503, 503, 503]);
    expect(await asking('GET')).not.toBe(503);
  });

  it('that lags behind the log answers a POST that appends nothing', async () => {
    await start({ answersRequests: true, acceptsWrites: () => false });
    const previewed = async (method: string): Promise<number> =>
      (await server.call('/previews', { method: 'POST', body: new URLSearchParams({ method }) })).status;
    expect(await previewed('POST')).toBe(200);
    expect(await previewed('DELETE')).toBe(503);
  });

  it('that only follows the log answers no verb that a POST asks for', async () => {
    await start({ answersRequests: false, acceptsWrites: () => true });
    const body = new URLSearchParams({ method: 'GET' });
    expect((await server.call('/caller', { method: 'POST', body })).status).toBe(503);
  });

  it('that only follows the log answers nobody but operators', async () => {
    await start({ answersRequests: false, acceptsWrites: () => true });
    const [read, write, health] = await outcomes();
    expect([read, write.status, health]).toEqual([503, 503, 200]);
  });
});
