import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { ModelPositions } from '../../projections/engine/model-positions.js';
import type { ProjectionHost, StartOptions } from '../../projections/engine/projection-host.js';
import { ModelBehindError, type Reactor } from '../../projections/engine/reactor.js';
import { directoryModel } from '../access/read-model.js';
import { projections } from '../../projections/registry.js';
import type { Configuration } from '../config.js';
import { DirectoryFollower } from '../access/directory-follower.js';
import { Snapshots, snapshotsDirectory } from '../stores/event-store/snapshots/snapshots.js';
import { ConsistentLog, type LogFollower } from '../http/consistency.js';
import type { ErasableModels } from '../erasure/erasable-models.js';
import type { Logger } from '../http/monitoring/logger.js';
import type { ServedModelsCheck } from '../operations/served-models-check.js';
import { FoldedStreams } from '../stores/event-store/folded-streams.js';
import type { OperationsRecord } from '../operations/operations-record.js';
import type { ProjectionOperations } from '../operations/projection-operations.js';
import type { SignalExchange } from '../realtime/signals/signal-exchange.js';
import { openServingModel, ServingModels } from '../stores/read-store/serving-models.js';
import { EventLoopDelays } from '../reader-threads/event-loop-delays.js';
import type { ModelStore } from '../stores/read-store/port.js';
import type { Stores } from '../stores/stores.js';
import { endingController } from '../runtime/ending.js';
import { SystemClock } from '../runtime/system-clock.js';
import { OperatorAuditAccess } from '../audit/commands/audit-access.js';
import { BackgroundRunners } from './background-runners.js';
import { NodeOperations } from './node-operations.js';
import { projectionHostOf } from './projection-host.js';
import { ServedModels } from './served-models.js';
import { WorkerThreads } from './worker-threads.js';

/** Follows the log to send events to waiting clients. */
interface ClientEventFeed {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** How long an erasure waits for the read models to remove the data before it is retried, in milliseconds. */
const MAX_ERASURE_WAIT = 60_000;

/** The background work of one process: the projections, the directory and the reactors, each following the log. */
export class ServerNode {
  readonly clock = new SystemClock();
  readonly models: ServingModels;
  readonly positions: ModelPositions;
  readonly follower: DirectoryFollower;
  /** The log to which requests append. */
  readonly log: ConsistentLog;
  readonly snapshots: Snapshots;
  /** Threads for work that would block the thread that answers requests. */
  readonly threads: WorkerThreads;
  /** The reactors and jobs of this process. */
  readonly background: BackgroundRunners;
  private readonly requestDelays = EventLoopDelays.memory();
  readonly projectorDelays = EventLoopDelays.memory();

  private readonly awaited: LogFollower[];
  private readonly host: ProjectionHost | null;
  private readonly nodeOperations: NodeOperations;
  /** Identifies this process among those on the same stores. */
  readonly processName: string;
  private readonly ending = endingController();
  private feed: ClientEventFeed | null = null;
  private readonly servedModels: ServedModels;
  private readonly served: ServedModelsCheck;
  private checking: Promise<void> = Promise.resolve();

  constructor(
    readonly configuration: Configuration,
    readonly stores: Stores,
    readonly logger: Logger,
  ) {
    const { readStore, log } = stores;
    this.processName = processNameOf(configuration);
    this.models = new ServingModels(readStore, {
      timeout: readTimeoutOf(configuration),
      // A reply to a write may have waited for the new version: a reader thread must not look in the previous one.
      onSwitch: () => this.threads.readers.forgetModels(),
    });
    this.servedModels = new ServedModels(stores, this.models, this.clock);
    this.positions = new ModelPositions(projections, (name) => this.servedModels.storedPosition(name));
    this.follower = new DirectoryFollower({ log, model: () => this.directoryModel(), logger });
    this.awaited = [
      {
        waitUntil: (write) => this.positions.waitUntil(write),
        isHalted: (types) => this.positions.areHalted(types),
      },
      { waitUntil: (write) => this.follower.waitUntil(write, write.milliseconds) },
    ];
    this.log = new ConsistentLog(log, this.awaited);
    this.snapshots = new Snapshots({
      directory: snapshotsDirectory(configuration.dataDirectory),
      log,
      vault: stores.vault,
      logger,
      now: () => this.clock.now(),
    });
    this.threads = new WorkerThreads(configuration, {
      clock: this.clock,
      logger,
      position: () => this.follower.current().position,
    });
    this.background = new BackgroundRunners({
      stores,
      processName: this.processName,
      logger,
      isDeactivated: () => this.follower.current().isDeactivated,
      runsHere: this.isProjector,
      signal: this.ending.signal,
    });
    this.host = this.isProjector ? projectionHostOf(this) : null;
    this.nodeOperations = new NodeOperations(this, this.host);
    this.served = this.servedModels.check(this.positions);
  }

  /** The event loop delays of the threads, by their task. */
  get eventLoops(): Readonly<Record<string, EventLoopDelays>> {
    return {
      request: new EventLoopDelays(this.requestDelays),
      projector: new EventLoopDelays(this.projectorDelays),
      readers: this.threads.readers.eventLoopDelays,
    };
  }

  /** Exchanges signals with the other processes. */
  get signals(): SignalExchange {
    return this.nodeOperations.signals;
  }

  /** Operators' operations on the read models. */
  get operations(): ProjectionOperations {
    return this.nodeOperations.operations;
  }

  /** Records operators' operations. */
  get operationsRecord(): OperationsRecord {
    return this.nodeOperations.record;
  }

  /** Records what operators look at on the command line. */
  get operatorAuditAccess(): OperatorAuditAccess {
    return new OperatorAuditAccess(new FoldedStreams(this.stores.log), this.clock);
  }

  /** The read models, as an erasure needs them. */
  get erasableModels(): ErasableModels {
    const names = projections.map(({ name }) => name);
    return {
      pass: async (write) => {
        if (await this.positions.waitUntil({ ...write, milliseconds: MAX_ERASURE_WAIT })) return;
        throw new ModelBehindError('A read model that holds what was deleted');
      },
      dropFormerVersions: async () => {
        for (const name of names) await this.host?.builds.dropFormer(name);
      },
      rebuildAll: async () => {
        await this.operations.rebuild(names, null, () => {});
      },
      scrub: () => this.stores.readStore.scrub(),
    };
  }

  /** Starts only the projections; resolves when the read models have caught up with the log. */
  async startProjections(options: StartOptions = {}): Promise<void> {
    await this.host?.start(options);
  }

  /** Starts to follow the log; resolves when requests can be answered. */
  async start(): Promise<void> {
    new EventLoopDelays(this.requestDelays).measure();
    await this.startProjections();
    await this.follower.start();
    await this.servedModels.noteBacklogs(this.positions);
    this.checking = this.served.run(this.ending.signal);
  }

  /**
   * Starts the reactors of this process: see {@link BackgroundRunners.react}.
   *
   * @throws LogIncompleteError
   */
  async react(reactors: readonly Reactor[], awaited: readonly Reactor[]): Promise<void> {
    this.awaited.push(...(await this.background.react(reactors, awaited)));
  }

  /** Starts to send events to the clients of this process. Replies to writes wait until live clients have the events. */
  async follow(feed: LogFollower & ClientEventFeed): Promise<void> {
    await feed.start();
    this.awaited.push(feed);
    this.feed = feed;
  }

  /** Exchanges signals with the other processes, among them what each of them keeps. */
  exchangeSignals(): void {
    this.nodeOperations.share(this.ending.signal);
  }

  /** How far this process, or the models that it reads, lag behind the log, in milliseconds. */
  lagMilliseconds(): number {
    return Math.max(this.follower.lagMilliseconds(), this.positions.lagMilliseconds());
  }

  /** Why requests cannot read the read models; null: they can. */
  readFault(): string | null {
    return this.served.fault();
  }

  async stop(): Promise<void> {
    this.ending.abort();
    // A reactor may wait for builds: an erasure rebuilds every model.
    const interrupted = this.host?.stopBuilds();
    await this.threads.close();
    await this.feed?.stop();
    await Promise.all([this.background.ended(), interrupted]);
    await this.checking;
    await this.follower.stop();
    await this.host?.stop();
    await this.snapshots.close();
  }

  private get isProjector(): boolean {
    return this.configuration.nodeRoles.has('projector');
  }

  private directoryModel(): Promise<ModelStore | null> {
    const { name, collections } = directoryModel;
    return openServingModel(this.stores.readStore, name, collections);
  }
}

/**
 * Identifies this process to others that compete for the leases. Embedded models belong to the process that holds
 * the data directory's lock: they have a fixed name, so that after a crash the next process takes the leases over
 * without waiting for their expiry.
 */
function processNameOf({ mongodbUrl }: Configuration): string {
  return mongodbUrl === null
    ? 'the process of this data directory'
    : `${hostname()}/${process.pid}/${randomUUID()}`;
}

/**
 * The timeout of a single read by a request, in milliseconds. Null for embedded models: reads of files do not hang,
 * while a server may.
 */
function readTimeoutOf({ mongodbUrl, readers }: Configuration): number | null {
  return mongodbUrl === null ? null : 1000 * readers.timeoutSeconds;
}
