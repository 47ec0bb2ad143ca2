import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../projections/engine/logger.js';
import { ModelPositions } from '../../projections/engine/model-positions.js';
import { projections } from '../../projections/registry.js';
import type { ApplicationNode } from './application-node.js';
import type { Configuration } from '../config.js';
import { directoryEventTypes } from '../access/directory-event-types.js';
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
import { SystemClock } from '../runtime/system-clock.js';
import { PastEventStore } from '../audit/past/past-event-store.js';
import { PastModels } from '../audit/past/past-models.js';

/** What a {@link PastNode} works with. */
export interface PastNodeOptions {
  readonly configuration: Configuration;
  readonly stores: LogStores;
  /** Aborted when nobody asks any more; absent: somebody always does. */
  readonly signal?: AbortSignal;
  /** Told how many events of a model were applied. */
  readonly onProgress?: (model: string, events: number) => void;
}

/** A moment of the log. */
export interface PastEnd {
  /** Nothing after this position is there. */
  readonly position: number;
  /** What the clocks say, in milliseconds since the UNIX epoch. */
  readonly now: number;
}

/** The clock of the past. */
class PastClock extends SystemClock {
  time = 0;

  override now(): number {
    return this.time;
  }
}

/** Nobody logs in to the past: whoever opened it says who looks. */
class NamedAuthenticator extends Authenticator {
  override authenticate(userId: string): Promise<number> {
    return Promise.resolve(Number(userId));
  }
}

/**
 * What the application runs on, as it was: the log up to a moment, and read models that are built from it, in a folder for
 * temporary files, when they are first asked for. The code that answers is that of the present.
 */
export class PastNode implements ApplicationNode {
  readonly configuration: Configuration;
  readonly stores: Stores;
  readonly clock = new PastClock();
  readonly follower: DirectoryFollower;
  readonly log: ConsistentLog;
  readonly models: PastModels;
  readonly positions: ModelPositions;
  readonly logger = createLogger('silent');
  readonly processName = 'the past';
  readonly authenticator = new NamedAuthenticator();

  private constructor(
    { configuration, stores, signal = new AbortController().signal, onProgress = () => {} }: PastNodeOptions,
    private readonly past: PastEventStore,
    private readonly temporary: { readonly readStore: ReadStore; readonly directory: string },
  ) {
    const { readStore } = temporary;
    const log = new EventLog(past, stores.codec);
    this.configuration = { ...configuration, rateLimitPerMinute: 0 };
    const absent = {
      // Whoever lists bots shows none of their keys.
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
    this.log = new ConsistentLog(past, stores.codec, []);
    const engineStores = { log, readStore };
    this.models = new PastModels({
      stores: engineStores,
      clock: this.clock,
      signal,
      through: () => past.through,
      onProgress,
    });
    this.positions = new ModelPositions(projections, () => Promise.resolve(null));
  }

  static async open(options: PastNodeOptions, end: PastEnd): Promise<PastNode> {
    const directory = await mkdtemp(join(tmpdir(), 'palimpsest-past-'));
    const readStore = openEmbeddedReadStore({ directory });
    const past = new PastEventStore(options.stores.eventStore, end.position);
    const node = new PastNode(options, past, { readStore, directory });
    node.clock.time = end.now;
    await node.follower.start();
    return node;
  }

  /** Where the past ends now. */
  get end(): PastEnd {
    return { position: this.past.through, now: this.clock.now() };
  }

  /** Moves the end of the past on. */
  async moveTo({ position, now }: PastEnd): Promise<void> {
    this.clock.time = now;
    this.past.moveTo(position);
    await this.follower.waitUntil({ position, types: [...directoryEventTypes] }, CATCH_UP_MILLISECONDS);
  }

  /** Removes what was built; the stores that it was opened on are whoever's who opened them. */
  async close(): Promise<void> {
    await this.follower.stop();
    await this.temporary.readStore.close();
    await rm(this.temporary.directory, { recursive: true, force: true });
  }
}

const CATCH_UP_MILLISECONDS = 60_000;

/** Something of which the log knows nothing, but for what is answered all the same. */
function notKept(what: string, answered: object = {}): unknown {
  return new Proxy(answered, {
    get: (_target, name) => {
      if (name in answered) return Reflect.get(answered, name) as unknown;
      if (typeof name === 'symbol' || name === 'then' || name.startsWith('on')) return undefined;
      return () => Promise.reject(failure('notInLog', { reason: what }));
    },
  });
}
