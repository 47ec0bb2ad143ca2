import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EventStoreDBClient } from '@eventstore/db-client';
import { describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { readConfiguration } from '../../src/config.js';

const AUTHORITY = 'test/fixtures/untrusted-certificate.pem';

describe('The guide to the servers', () => {
  it('shows connection strings that the server takes', async () => {
    const guide = await readFile('docs/servers.md', 'utf8');
    const shown = [...guide.matchAll(/^(EVENTSTORE_URL|MONGODB_URL)=(.+)$/gm)];
    expect(shown.map(([, name]) => name)).toEqual(['EVENTSTORE_URL', 'EVENTSTORE_URL', 'MONGODB_URL']);
    for (const [, name, url] of shown) {
      const { eventStoreUrl, mongodbUrl } = readConfiguration({ [name!]: url });
      expect(eventStoreUrl ?? mongodbUrl).toBe(url);
      if (eventStoreUrl === null) expect(new MongoClient(url!).options.hosts).toHaveLength(3);
      else EventStoreDBClient.connectionString(url!.replace('/etc/palimpsest/ca.crt', AUTHORITY));
    }
  });

  it('has a file that gives the servers of docker-compose.yml passwords, and what connects to them', async () => {
    const file = await readFile('deploy/compose.passwords.yml', 'utf8');
    const compose = await readFile('docker-compose.yml', 'utf8');
    const servicesIn = (text: string): readonly string[] => {
      const [, services = ''] = /^services:\n([\s\S]*?)^\w/m.exec(text) ?? [];
      return [...services.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name!);
    };
    expect(servicesIn(file).filter((name) => name !== 'certificates')).toEqual(servicesIn(compose));
    const environment = Object.fromEntries(
      [...file.matchAll(/^ {4}(EVENTSTORE_URL|MONGODB_URL): (.+)$/gm)].map(([, name, url]) => [
        name!,
        url!.replaceAll(/\$\{\w+:\?\}/g, 'mauve'),
      ]),
    );
    const { eventStoreUrl, mongodbUrl } = readConfiguration(environment);
    EventStoreDBClient.connectionString(eventStoreUrl!.replace('/certificates/ca.crt', AUTHORITY));
    const { credentials, replicaSet } = new MongoClient(mongodbUrl!).options;
    expect([credentials?.username, credentials?.source, replicaSet]).toEqual(['root', 'admin', 'rs0']);
    // The replica set and the health check stay those of the compose file.
    for (const kept of [
      "'--replSet', 'rs0'",
      "rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: 'mongodb:27017' }] })",
    ])
      expect([compose, file].map((text) => text.includes(kept))).toEqual([true, true]);
  });

  it('names the versions that docker-compose.yml uses and those that the driver refuses', async () => {
    const guide = await readFile('docs/servers.md', 'utf8');
    const compose = await readFile('docker-compose.yml', 'utf8');
    const [, eventStore = ''] = /image: eventstore\/eventstore:([\d.]+)/.exec(compose) ?? [];
    expect(guide).toMatch(new RegExp(`^\\| EventStoreDB \\| ${eventStore.replaceAll('.', '\\.')}:`, 'm'));
    const [, mongo = ''] = /image: mongo:(\d+)/.exec(compose) ?? [];
    expect(guide).toContain(`its protocol as of ${mongo}.`);
    const constants = await readFile('node_modules/mongodb/lib/cmap/wire_protocol/constants.js', 'utf8');
    const [, oldest] = /MIN_SUPPORTED_SERVER_VERSION = '([\d.]+)'/.exec(constants) ?? [];
    expect(guide).toContain(`before ${oldest}, by the driver`);
  });

  it('names every collection of the stores, as one that cannot be rebuilt or one that may be lost', async () => {
    const guide = await readFile('docs/servers.md', 'utf8');
    const [, kept = '', lost = ''] =
      /which can be rebuilt\.\n([^*]*)cannot be rebuilt:[^.]*\.\*\*([^:]*)may be lost:/.exec(guide) ?? [];
    const namesIn = (text: string): readonly string[] =>
      [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name!).sort();
    expect(namesIn(kept)).toEqual(await collectionsOf(['key-store', 'credential-store']));
    expect(namesIn(lost)).toEqual(await collectionsOf(['queue-store', 'signal-store']));
  });
});

/** The collections of MongoDB that stores open by a name. */
async function collectionsOf(stores: readonly string[]): Promise<readonly string[]> {
  const folders = stores.map((store) => join('src/stores', store, 'mongodb'));
  const files = await Promise.all(
    folders.map(async (path) => (await readdir(path)).map((name) => join(path, name))),
  );
  const sources = await Promise.all(files.flat().map((file) => readFile(file, 'utf8')));
  return [...sources.join('').matchAll(/\.collection<\w+>\(\s*'(\w+)'/g)].map(([, name]) => name!).sort();
}
