import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedEventStore } from '../../../src/stores/event-store/embedded/embedded-event-store.js';
import { connectEventStoreDb } from '../../../src/stores/event-store/eventstoredb/event-store-db.js';
import type { EventStore } from '../../../src/stores/event-store/port.js';
import { EventStoreDbStandIn, type StandInOptions } from '../../support/eventstoredb-stand-in/stand-in.js';

/** One log under test. */
export interface EventStoreFixture {
  /** A further connection to the log, which {@link close} closes. */
  open(): EventStore;
  /** Whether the log held nothing when the fixture was made: not so on a real server. */
  readonly startsEmpty: boolean;
  close(): Promise<void>;
}

/** An adapter of the port, with what it runs on. */
export interface EventStoreAdapter {
  readonly name: string;
  start(): Promise<EventStoreFixture>;
}

/** A folder of its own, removed by `remove`. */
export async function temporaryDirectory(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'palimpsest-event-store-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Opens stores, and closes all of them in the end. */
class OpenStores {
  readonly #stores: EventStore[] = [];

  constructor(private readonly connect: () => EventStore) {}

  open(): EventStore {
    const store = this.connect();
    this.#stores.push(store);
    return store;
  }

  async close(): Promise<void> {
    await Promise.all(this.#stores.map((store) => store.close()));
  }
}

const embedded: EventStoreAdapter = {
  name: 'embedded',
  async start() {
    const directory = await temporaryDirectory();
    const stores = new OpenStores(() => openEmbeddedEventStore({ file: join(directory.path, 'log.sqlite') }));
    return {
      open: () => stores.open(),
      startsEmpty: true,
      close: async () => {
        await stores.close();
        await directory.remove();
      },
    };
  },
};

/** A log on the stand-in server, with the server's controls. */
export interface StandInFixture extends EventStoreFixture {
  readonly server: EventStoreDbStandIn;
}

/** Milliseconds that stores give a request: the server shares a thread with the tests, and the machine with other suites. */
const LONG_DEADLINE = 40_000;

/** @param options.deadline milliseconds that the opened stores give a request */
export async function startStandIn(
  options: Partial<StandInOptions> & { readonly deadline?: number } = {},
): Promise<StandInFixture> {
  const { deadline = LONG_DEADLINE, ...standInOptions } = options;
  const directory = await temporaryDirectory();
  const server = await EventStoreDbStandIn.start({ directory: directory.path, ...standInOptions });
  const { connectionString } = server;
  const stores = new OpenStores(() => connectEventStoreDb({ connectionString, deadline }));
  return {
    server,
    open: () => stores.open(),
    startsEmpty: true,
    close: async () => {
      await stores.close();
      await server.stop();
      await directory.remove();
    },
  };
}

const standIn: EventStoreAdapter = { name: 'eventstoredb, on the stand-in', start: () => startStandIn() };

function realServer(connectionString: string): EventStoreAdapter {
  return {
    name: 'eventstoredb, on EVENTSTORE_URL',
    start() {
      const stores = new OpenStores(() => connectEventStoreDb({ connectionString }));
      return Promise.resolve({ open: () => stores.open(), startsEmpty: false, close: () => stores.close() });
    },
  };
}

/** The adapters that the contract suite runs on; a real server is one of them where EVENTSTORE_URL names it. */
export const adapters: readonly EventStoreAdapter[] = [
  embedded,
  standIn,
  ...(process.env['EVENTSTORE_URL'] ? [realServer(process.env['EVENTSTORE_URL'])] : []),
];
