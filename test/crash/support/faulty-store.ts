import { EventStoreDbProcess } from '../../support/eventstoredb-stand-in/process.js';
import { FaultyLink } from '../../support/faulty-link.js';

/** What happens to an event store: its process is killed, ended, or stopped where it stands. */
export type StoreFault = 'killed' | 'ended' | 'stopped';

/** An event store that a test can take away from its server, and give back. */
export interface FaultyStore {
  /** As `EVENTSTORE_URL` takes it. */
  readonly url: string;
  suffer(fault: StoreFault): Promise<void>;
  recover(): Promise<void>;
  remove(): Promise<void>;
}

/** The stand-in, as a process of its own: what happens to it happens to the process. */
export async function faultyStandIn(): Promise<FaultyStore> {
  const store = await EventStoreDbProcess.start();
  let suffered: StoreFault | null = null;
  return {
    url: store.url,
    suffer: async (fault) => {
      suffered = fault;
      if (fault === 'stopped') store.pause();
      else await store.end(fault === 'killed' ? 'SIGKILL' : 'SIGTERM');
    },
    recover: async () => {
      if (suffered === 'stopped') store.goOn();
      else if (suffered !== null) await store.restart();
      suffered = null;
    },
    remove: async () => {
      store.goOn();
      await store.remove();
    },
  };
}

/**
 * A server that runs already, without TLS and with an empty log, behind a link that is cut or held: the server itself is left alone.
 *
 * @param url of one host, such as `esdb://127.0.0.1:2113?tls=false`
 */
export async function faultyServer(url: string): Promise<FaultyStore> {
  const { hostname, port } = new URL(url);
  const link = await FaultyLink.to({ host: hostname, port: Number(port || 2113) });
  return {
    url: url.replace(/\/\/([^@/]*@)?[^/?]+/, `//$1${link.address}`),
    suffer: async (fault) => {
      if (fault === 'stopped') link.hold();
      else await link.cut();
    },
    recover: () => link.mend(),
    remove: () => link.cut(),
  };
}
