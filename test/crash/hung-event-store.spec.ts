import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';
import { faultyStandIn, type FaultyStore } from './support/faulty-store.js';

/** In milliseconds: longer than readiness takes to follow what EventStoreDB does, on a machine that is busy or stands still for a while. */
const NOTICED = 60_000;

let store: FaultyStore;
let server: TestServer;

async function status(): Promise<number> {
  return (await fetch(`${server.site}/health/ready`)).status;
}

describe('A server whose EventStoreDB stands still', () => {
  beforeAll(async () => {
    store = await faultyStandIn();
    const environment = { EVENTSTORE_URL: store.url };
    server = await TestServer.start({ stores: ServerStores.embedded(), environment });
  });

  afterAll(async () => {
    await store.recover();
    await server.stop();
    await store.remove();
  });

  it('is not ready within seconds, says why, and is ready again as soon as it is answered', async () => {
    await eventually(status, (code) => code === 200);
    await store.suffer('stopped');
    const stopped = performance.now();
    await eventually(status, (code) => code === 503);
    expect(performance.now() - stopped).toBeLessThan(NOTICED);
    const reason = '"event-store":"no answer in 2000 ms"';
    await eventually(
      () => Promise.resolve(server.log.join('\n')),
      (lines) => lines.includes(reason),
    );
    await store.recover();
    const recovered = performance.now();
    await eventually(status, (code) => code === 200);
    expect(performance.now() - recovered).toBeLessThan(NOTICED);
  });
});
