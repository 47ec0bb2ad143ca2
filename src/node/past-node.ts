import { silentLogger } from '../../projections/engine/logger.js';
import { ModelPositions } from '../../projections/engine/model-positions.js';
import { projections } from '../../projections/registry.js';
import type { ApplicationNode } from './application-node.js';
import type { Configuration } from '../config.js';
import { DirectoryFollower } from '../access/directory-follower.js';
import { EventLog } from '../stores/event-store/event-log.js';
import { Authenticator } from '../http/caller.js';
import { ConsistentLog } from '../http/consistency.js';
import { failure } from '../kernel/errors.js';
import { createLogger } from '../http/monitoring/logger.js';
import { openEmbeddedReadStore } from '../stores/read-store/embedded/embedded-read-store.js';
import type { ReadStore } from '../stores/read-store/port.js';
import type { Stores } from '../stores/stores.js';
import type { LogStores } from '../stores/open-log.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../runtime/temporary-folder.js';
import { SystemClock } from '../runtime/system-clock.js';
import { PastEventStore } from '../audit/past/past-event-store.js';
import { PastModels } from '../audit/past/past-models.js';

/** Dependencies of a {@link PastNode}. */
interface PastNodeOptions {
  readonly configuration: Configuration;
  readonly stores: LogStores;
  /** Aborted when the caller cancels; absent: the caller never does. */
  readonly signal?: AbortSignal;
  /** Called with the number of events that were applied to a model. */
  readonly onProgress?: (model: string, events: number) => void;
}

/** A moment of the log. */
export interface PastEnd {
  /** Events after this position are left out. */
  readonly position: number;
  /** The time that the clock shows, in milliseconds since the UNIX epoch. */
  readonly now: number;
}

/** A clock that stands at a past time. */
class PastClock extends SystemClock {
  constructor(private readonly time: number) {
    super();
  }

  override now(): number {
    return this.time;
  }
}

/** Nobody signs in to the past: the caller says for which person it reads. */
class NamedAuthenticator extends Authenticator {
  override authenticate(userId: string): Promise<number> {
    return Promise.resolve(Number(userId));
  }
}

/**
 * The application's dependencies as of a past moment: the log up to its end, and read models that are built from it
 * on first use, in a folder for temporary files. The code that answers is the present one.
 */
export class PastNode implements ApplicationNode {
  readonly configuration: Configuration;
  readonly stores: Stores;
  readonly clock: PastClock;
  readonly follower: DirectoryFollower;
  readonly log: ConsistentLog;
  readonly models: PastModels;
  readonly positions: ModelPositions;
  readonly logger = createLogger('silent');
  readonly processName = 'the past';
  readonly authenticator = new NamedAuthenticator();

  private constructor(
    { configuration, stores, signal = new AbortController().signal, onProgress = () => {} }: PastNodeOptions,
    readonly end: PastEnd,
    private readonly temporary: { readonly readStore: ReadStore; readonly folder: TemporaryFolder },
  ) {
    const { readStore } = temporary;
    const past = new PastEventStore(stores.eventStore, end.position);
    this.clock = new PastClock(end.now);
    const log = new EventLog(past, stores.codec);
    this.configuration = { ...configuration, rateLimitPerMinute: 0 };
    const absent = {
      // Lists of bots are answered without keys.
      credentialStore: notKept('passwords and API keys', { apiKeysOf: () => Promise.resolve([]) }),
      files: notKept('the bytes of files'),
      queueStore: notKept('queues of events'),
      signalStore: null,
    };
    this.stores = {
      ...stores,
      ...(absent as Pick<Stores, keyof typeof absent>),
      eventStore: past,
      log,
      readStore,
    };
    this.follower = new DirectoryFollower({ log, model: () => Promise.resolve(null), logger: silentLogger });
    this.log = new ConsistentLog(log, []);
    const engineStores = { log, readStore };
    this.models = new PastModels({
      stores: engineStores,
      clock: this.clock,
      signal,
      onProgress,
    });
    this.positions = new ModelPositions(projections, () => Promise.resolve(null));
  }

  static async open(options: PastNodeOptions, end: PastEnd): Promise<PastNode> {
    const folder = makeTemporaryFolder('past');
    const readStore = openEmbeddedReadStore({ directory: folder.path });
    const node = new PastNode(options, end, { readStore, folder });
    await node.follower.start();
    return node;
  }

  /**
   * Removes the models that were built. The stores given to {@link PastNode.open} stay open: they belong to the
   * caller.
   */
  async close(): Promise<void> {
    await this.follower.stop();
    await this.temporary.readStore.close();
    await this.temporary.folder.remove();
  }
}

/** A dependency that the log contains nothing about. Its methods fail with `notInLog`, except those in `answered`. */
function notKept(what: string, answered: object = {}): unknown {
  return new Proxy(answered, {
    get: (_target, name) => {
      if (name in answered) return Reflect.get(answered, name) as unknown;
      if (typeof name === 'symbol' || name === 'then' || name.startsWith('on')) return undefined;
      return () => Promise.reject(failure('notInLog', { reason: what }));
    },
  });
}
