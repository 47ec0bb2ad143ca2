import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { MongoClient, type CommandStartedEvent } from 'mongodb';
import { Leases } from '../../src/stores/read-store/mongodb/leases.js';
import { SequencedRecords } from '../../src/stores/read-store/mongodb/sequenced-records.js';
import { describeOnMongo, mongoDatabaseUrl } from './mongo-database.js';

const MINUTE = 60_000;

let client: MongoClient;
let leases: Leases;

beforeEach(async () => {
  client = await MongoClient.connect(mongoDatabaseUrl('leases'), { monitorCommands: true });
  leases = new Leases(client, client.db());
  await leases.prepare();
});

afterEach(async () => {
  await client.db().dropDatabase();
  await client.close();
});

const names = Array.from({ length: 12 }, (_, index) => `lease ${index}`);

function acquireAll(holder: string): Promise<readonly unknown[]> {
  return Promise.all(names.map((name) => leases.acquire(name, holder, MINUTE)));
}

describeOnMongo('Leases in MongoDB', () => {
  it('are renewed in one command by a process that has many', async () => {
    const taken = await acquireAll('one');
    expect(taken).toEqual(names.map(() => ({ token: 1 })));
    const commands: string[] = [];
    client.on('commandStarted', ({ commandName }: CommandStartedEvent) => commands.push(commandName));
    expect(await acquireAll('one')).toEqual(taken);
    expect(commands).toEqual(['hello', 'find', 'update']);
  });

  it('are renewed together with free ones that are acquired, but not those of another owner', async () => {
    await Promise.all(names.slice(0, 4).map((name) => leases.acquire(name, 'one', MINUTE)));
    await Promise.all(names.slice(4, 8).map((name) => leases.acquire(name, 'another', MINUTE)));
    const tokens = names.map((_, index) => (index >= 4 && index < 8 ? null : { token: 1 }));
    expect(await acquireAll('one')).toEqual(tokens);
  });

  it('tell which of many stand where the record of one of them is gone', async () => {
    const records = new SequencedRecords<{ readonly expiresAt: number }>(client.db(), '_leases');
    await Promise.all(names.map((name) => records.append(name, 0, { expiresAt: 1 })));
    const latest = await records.latestOf(names);
    await client.db().collection('_leases').deleteOne({ name: names[3]! });
    const amendments = names.map((name) => ({ record: latest.get(name)!, value: { expiresAt: 2 } }));
    expect(await records.amendAll(amendments)).toEqual(names.map((_, index) => index !== 3));
    expect(await records.latest(names[0]!)).toMatchObject({ expiresAt: 2 });
  });
});
