import { EventCodec } from '../../../src/stores/event-store/codec.js';
import { EventLog } from '../../../src/stores/event-store/event-log.js';
import { eventCatalog } from '../../../src/stores/event-catalog.js';
import { loadServerKey } from '../../../src/stores/key-store/server-key.js';
import { Vault } from '../../../src/stores/key-store/vault.js';
import type { ReadStore } from '../../../src/stores/read-store/port.js';
import type { TemporaryStores } from '../../support/temporary-stores.js';

/** What a dead process gets of everything that it still tries to write. */
export class PowerCutError extends Error {
  override readonly name = 'PowerCutError';
}

/** How much a process still gets done before it dies. */
export class Life {
  /** Durable writes until it dies. */
  private left = Infinity;
  private tried: string[] = [];

  /** Lets it make so many more durable writes. */
  end(writes: number): void {
    this.left = writes;
    this.tried = [];
  }

  /** To be called before each durable write. */
  spend(write: string): void {
    this.tried.push(write);
    this.left -= 1;
    if (this.isOver) throw new PowerCutError(`The power failed before ${write}`);
  }

  get isOver(): boolean {
    return this.left < 0;
  }

  /** The durable writes since {@link end}, the one that it died of last. */
  get writes(): readonly string[] {
    return this.tried;
  }
}

/** The same stores as a process sees them that dies before one of its durable writes, whichever of them it is about. */
export async function mortalStores(stores: TemporaryStores, life: Life): Promise<TemporaryStores> {
  const keyStore = mortal(stores.keyStore, life, ['get']);
  const eventStore = mortal(stores.eventStore, life, ['readStream', 'readAll', 'subscribeAll', 'head']);
  const vault = new Vault({ keyStore, serverKey: await loadServerKey({ directory: stores.directory }) });
  const codec = new EventCodec(eventCatalog, vault);
  return {
    ...stores,
    keyStore,
    eventStore,
    vault,
    codec,
    log: new EventLog(eventStore, codec),
    credentialStore: mortal(stores.credentialStore, life, [
      'passwordHash',
      'findApiKey',
      'apiKeys',
      'noteApiKeyUses',
    ]),
    readStore: mortalReadStore(stores.readStore, life),
  };
}

function mortalReadStore(readStore: ReadStore, life: Life): ReadStore {
  const store = mortal(readStore, life, ['modelVersions', 'usedVersions', 'servingVersion']);
  return Object.create(store, {
    openModel: {
      value: async (...input: Parameters<ReadStore['openModel']>) =>
        mortal(await store.openModel(...input), life, ['collection', 'checkpoint', 'isRemoved']),
    },
  }) as ReadStore;
}

/** @param reads the methods that change nothing; all others count */
function mortal<Store extends object>(
  store: Store,
  life: Life,
  reads: readonly (keyof Store & string)[],
): Store {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as (...input: unknown[]) => unknown;
      if (name === 'close' || reads.some((one) => one === name)) return method;
      return async (...input: unknown[]) => {
        life.spend(String(name));
        return method(...input);
      };
    },
  });
}
