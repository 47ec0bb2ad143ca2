import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeOnMongo } from '../contract/mongo-database.js';
import { eventually } from '../support/eventually.js';
import { MongoLink } from '../support/mongodb-link.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

/** Of what is looked up by every process once in a second. */
const SECONDS = 6;

let stores: ServerStores;
let link: MongoLink;
let server: TestServer;

/** Resolves when so many seconds have passed, as what is asked for each second tells. */
async function secondsPass(): Promise<void> {
  await eventually(
    () => Promise.resolve(link.countOf('find signals')),
    (count) => count >= SECONDS,
  );
}

describeOnMongo('A server that nobody asks for anything', () => {
  beforeAll(async () => {
    stores = await ServerStores.onServers();
    const url = stores.environment['MONGODB_URL']!;
    link = await MongoLink.to(url);
    const environment = { ...stores.environment, MONGODB_URL: link.urlOf(url) };
    server = await TestServer.start({ stores, environment });
  });

  afterAll(async () => {
    await server.stop();
    await link.close();
    await stores.close();
  });

  it('looks all models up together: which version serves, how far each is, what operators want of it', async () => {
    // Whatever a start still does is over by then.
    await secondsPass();
    link.takeCounts();
    await secondsPass();
    const counts = link.takeCounts();
    const asked = (command: string): number => counts.get(command) ?? 0;
    // The threads that answer and that project each ask about once in a second.
    // More than were waited for where this process stood still meanwhile.
    const seconds = asked('find signals');
    expect(asked('find _serving')).toBeLessThanOrEqual(3 * seconds);
    expect(asked('find _models')).toBeLessThanOrEqual(2 * seconds);
    expect(asked('find orders__v1')).toBeLessThanOrEqual(3 * seconds);
    expect(Math.min(asked('find _serving'), asked('find _models'))).toBeGreaterThan(0);
  });
});
