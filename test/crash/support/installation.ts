import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient, type Db, type Document } from 'mongodb';
import type { ApiClient } from '../../support/api-client.js';
import { CommandLine } from '../../support/command-line.js';
import { ServerStores } from '../../support/server-stores.js';
import { TestServer } from '../../support/server.js';
import { newDataDirectory, removeDataDirectory, withStoresOf } from './data-directory.js';

/** One log, one database and one server key, and the processes on them, each with a data directory of its own. */
export class Installation {
  private readonly servers: TestServer[] = [];

  private constructor(
    private readonly directory: string,
    private readonly stores: ServerStores,
  ) {}

  static async make(): Promise<Installation> {
    const directory = await newDataDirectory();
    await writeFile(join(directory, 'server.key'), `${randomBytes(32).toString('base64')}\n`, {
      mode: 0o600,
    });
    return new Installation(directory, await ServerStores.onServers());
  }

  /** @param stores where the process is to find the stores, when that is not where they are */
  async start(
    name: string,
    roles = 'api,projector',
    stores: ServerStores['environment'] = {},
  ): Promise<TestServer> {
    const directory = join(this.directory, name);
    await mkdir(directory, { recursive: true });
    const environment = { ...this.environment, ...stores, NODE_ROLES: roles };
    const server = await TestServer.start({ directory, stores: this.stores, environment });
    this.servers.push(server);
    return server;
  }

  /** The owner as a client of one process, with the key that some process wrote. */
  async owner(server: TestServer): Promise<ApiClient> {
    const writer = this.servers.find(({ directory }) => existsSync(join(directory, 'owner.zuliprc')));
    if (writer === undefined) throw new Error('Nobody wrote the key of the owner');
    return (await writer.owner()).at(server.site);
  }

  /** Looks into the stores while the processes run. */
  look<Result>(inspect: Parameters<typeof withStoresOf<Result>>[1]): Promise<Result> {
    return withStoresOf(this.directory, inspect, this.environment);
  }

  /** The command-line tool beside one process. */
  tool({ directory }: TestServer): CommandLine {
    return new CommandLine({ ...this.environment, DATA_DIR: directory });
  }

  /** The collections of which some document holds a text in the clear. */
  async documentsWith(text: string): Promise<readonly string[]> {
    const client = await MongoClient.connect(this.environment['MONGODB_URL']!);
    try {
      const found: string[] = [];
      for (const { collectionName: name } of await client.db().collections()) {
        const documents = await presentDocuments(client.db(), name);
        if (JSON.stringify(documents).includes(text)) found.push(name);
      }
      return found;
    } finally {
      await client.close();
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop()));
  }

  async remove(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.kill()));
    await this.stores.close();
    await removeDataDirectory(this.directory);
  }

  /** What every process of it is started with. */
  get environment(): ServerStores['environment'] {
    return { ...this.stores.environment, SERVER_KEY_FILE: join(this.directory, 'server.key') };
  }
}

/** A server may refuse to read a collection that is dropped meanwhile: nothing is in it any more. */
async function presentDocuments(database: Db, name: string): Promise<readonly Document[]> {
  try {
    return await database.collection(name).find().toArray();
  } catch (error) {
    if ((await database.listCollections({ name }).toArray()).length > 0) throw error;
    return [];
  }
}
