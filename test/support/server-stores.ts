import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { MongoClient } from 'mongodb';

const standIn = resolve('dist/test/support/eventstoredb-stand-in/main.js');

/**
 * The stores that a test's server runs on: embedded ones in its data directory, or, with `E2E_STORES=servers`, a MongoDB
 * database of its own (on the server that `MONGODB_URL` names) and an EventStoreDB log of its own.
 */
export class ServerStores {
  private constructor(
    /** What to start the server with. */
    readonly environment: Readonly<Record<string, string>>,
    readonly close: () => Promise<void>,
  ) {}

  static async open(): Promise<ServerStores> {
    return process.env['E2E_STORES'] === 'servers' ? ServerStores.onServers() : ServerStores.embedded();
  }

  static embedded(): ServerStores {
    return new ServerStores({}, () => Promise.resolve());
  }

  /** Needs `MONGODB_URL`, whatever `E2E_STORES` says. */
  static async onServers(): Promise<ServerStores> {
    const mongodb = mongodbDatabase();
    const directory = await mkdtemp(join(tmpdir(), 'palimpsest-log-'));
    const child = spawn(process.execPath, [standIn, '--directory', directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [eventStoreUrl] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return new ServerStores({ EVENTSTORE_URL: eventStoreUrl, MONGODB_URL: mongodb }, async () => {
      await end(child);
      await rm(directory, { recursive: true, force: true });
      await dropDatabase(mongodb);
    });
  }
}

function mongodbDatabase(): string {
  const given = process.env['MONGODB_URL'];
  if (given === undefined) throw new Error('MONGODB_URL is missing: the server to make databases on');
  const url = new URL(given);
  url.pathname = `/palimpsest_${randomUUID().slice(0, 8)}`;
  return url.href;
}

async function dropDatabase(url: string): Promise<void> {
  const client = await MongoClient.connect(url);
  await client.db().dropDatabase();
  await client.close();
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
