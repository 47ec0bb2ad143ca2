import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { launchInThread } from '../../projections/engine/projector-launch.js';
import { ModelPositions } from '../../projections/engine/model-positions.js';
import { ProjectionHost, type StartOptions } from '../../projections/engine/projection-host.js';
import type { Projection } from '../../projections/engine/projection.js';
import type { Reactor } from '../../projections/engine/reactor.js';
import type { Job } from '../../projections/engine/job.js';
import { JobRunner } from '../../projections/engine/job-runner.js';
import { ReactorRunner, type ReactorStatus } from '../../projections/engine/reactor-runner.js';
import { directoryModel } from '../access/read-model.js';
import { projections } from '../../projections/registry.js';
import { CaseTasks } from '../audit/cases/tasks/case-tasks.js';
import { OwnDataExports } from '../audit/own-data/own-data-exports.js';
import type { RunExport } from '../audit/exports/export-task.js';
import { PastLooks } from '../audit/past/past-looks.js';
import { refuseShorterLog } from './complete-stores.js';
import type { Configuration } from '../config.js';
import { DirectoryFollower } from '../access/directory-follower.js';
import { Snapshots, snapshotsDirectory } from '../stores/event-store/snapshots/snapshots.js';
import { ConsistentLog, type LogFollower } from '../http/consistency.js';
import type { ErasableModels } from '../erasure/erasable-models.js';
import type { Logger } from '../http/monitoring/logger.js';
import { ServedModelsCheck } from '../operations/served-models-check.js';
import { FoldedStreams } from '../stores/event-store/folded-streams.js';
import { OperationsRecord } from '../operations/operations-record.js';
import { ProjectionOperations } from '../operations/projection-operations.js';
import { openServingModel, ServingModels } from '../stores/read-store/serving-models.js';
import { EventLoopDelays } from '../reader-threads/event-loop-delays.js';
import { ReaderObservations } from '../reader-threads/reader-observations.js';
import { ReaderPool } from '../reader-threads/reader-pool.js';
import type { ModelStore } from '../stores/read-store/port.js';
import type { StoreConfiguration, Stores } from '../stores/stores.js';
import { SystemClock } from '../runtime/system-clock.js';
import { caseTaskInThread, ownDataInThread } from './case-task-in-thread.js';
import { exportInThread } from './export-in-thread.js';
import { lookInThread } from './look-in-thread.js';
import { proofInThread } from './proof-in-thread.js';
import { OperatorLooks } from '../audit/commands/operator-looks.js';
import { ProofWorks } from '../audit/proofs/proof-works.js';
import { verifyInThread } from './verify-in-thread.js';
import type { ProjectorConfiguration } from './projector-environment.js';

/** Follows the log for the clients that wait for what happens. */
export interface Telling {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** How long an erasure waits for the read models to drop what was deleted, before it is tried again: milliseconds. */
const longestErasureWait = 60_000;

/** What runs beside the requests of one process: the projections, the directory and the reactors, each following the log. */
export class ServerNode {
  readonly clock = new SystemClock();
  readonly models: ServingModels;
  readonly positions: ModelPositions;
  readonly follower: DirectoryFollower;
  /** The log as requests append to it. */
  readonly log: ConsistentLog;
  readonly snapshots: Snapshots;
  /** Read what may take long; they start when something is asked of them. */
  readonly readers: ReaderPool;
  /** Look into the past of the log, each in a thread of its own. */
  readonly pastLooks: PastLooks;
  /** Verify the log and make proofs, in a thread. */
  readonly proofWorks: ProofWorks;
  /** Look through what cases cover, each in a thread of its own. */
  readonly caseTasks: CaseTasks;
  /** Make copies of what is stored about people. */
  readonly ownData: OwnDataExports;
  /** Makes exports of the organization, each in a thread of its own. */
  readonly runExport: RunExport;
  readonly observations = new ReaderObservations();
  /** Compares a read model with one that is rebuilt. */
  readonly verifyModel: ReturnType<typeof verifyInThread>;
  private readonly requestDelays = EventLoopDelays.memory();
  private readonly projectorDelays = EventLoopDelays.memory();

  private readonly awaited: LogFollower[];
  private readonly host: ProjectionHost | null;
  /** Names this process among those on the same stores. */
  readonly holder: string;
  private readonly ending = new AbortController();
  private telling: Telling | null = null;
  private readonly runners = new Map<Reactor, ReactorRunner>();
  private reacting: Promise<unknown> = Promise.resolve();
  private performing: Promise<unknown> = Promise.resolve();
  private checking: Promise<void> = Promise.resolve();

  constructor(
    readonly configuration: Configuration,
    readonly stores: Stores,
    readonly logger: Logger,
  ) {
    const { readStore, eventStore, codec, log } = stores;
    this.holder = holderOf(configuration);
    this.models = new ServingModels(readStore, this.clock);
    this.positions = new ModelPositions(projections, (name) => this.storedPosition(name));
    this.follower = new DirectoryFollower({ log, model: () => this.directoryModel(), logger });
    this.awaited = [
      {
        waitUntil: (write) => this.positions.waitUntil(write),
        isHalted: (types) => this.positions.areHalted(types),
      },
      { waitUntil: (write) => this.follower.waitUntil(write, write.milliseconds) },
    ];
    this.log = new ConsistentLog(eventStore, codec, this.awaited);
    this.log.tracer = log.tracer;
    this.snapshots = new Snapshots({
      directory: snapshotsDirectory(configuration.dataDirectory),
      log,
      vault: stores.vault,
      logger,
      now: () => this.clock.now(),
    });
    this.readers = this.readerPool();
    this.verifyModel = verifyInThread(this.storeConfiguration);
    this.pastLooks = new PastLooks(lookInThread(configuration));
    this.proofWorks = new ProofWorks(proofInThread(configuration, logger), this.clock);
    this.caseTasks = new CaseTasks({
      run: caseTaskInThread(configuration),
      clock: this.clock,
      folder: join(configuration.dataDirectory, 'bundles'),
    });
    this.ownData = new OwnDataExports({
      run: ownDataInThread(configuration),
      clock: this.clock,
      folder: join(configuration.dataDirectory, 'own-data'),
    });
    this.runExport = exportInThread(configuration);
    this.host = this.isProjector ? this.projectionHost() : null;
  }

  /** How late the event loops of the threads are, by what they do. */
  get eventLoops(): Readonly<Record<string, EventLoopDelays>> {
    return {
      request: new EventLoopDelays(this.requestDelays),
      projector: new EventLoopDelays(this.projectorDelays),
      readers: this.readers.eventLoopDelays,
    };
  }

  /** What operators do with the read models. */
  get operations(): ProjectionOperations {
    const { stores, positions, host, clock } = this;
    const reactors = (): readonly ReactorRunner[] => [...this.runners.values()];
    return new ProjectionOperations({ stores, projections, positions, host, clock, reactors });
  }

  /** Where it is recorded what operators do. */
  get operationsRecord(): OperationsRecord {
    const streams = new FoldedStreams(this.stores.log, {
      admit: (events, metadata) => this.log.admit(events, metadata),
    });
    return new OperationsRecord(streams, this.clock);
  }

  /** Where it is recorded what operators look at on the command line. */
  get operatorLooks(): OperatorLooks {
    return new OperatorLooks(new FoldedStreams(this.stores.log), this.clock);
  }

  /** The read models as whoever erases works with them. */
  get erasableModels(): ErasableModels {
    const names = projections.map(({ name }) => name);
    return {
      pass: async (write) => {
        if (await this.positions.waitUntil({ ...write, milliseconds: longestErasureWait })) return;
        throw new Error('The read models still hold what was deleted');
      },
      dropOthers: async () => {
        for (const name of names) await this.host?.builds.drop(name);
      },
      rebuildAll: async () => {
        await this.operations.rebuild(names, null, () => {});
      },
      scrub: () => this.stores.readStore.scrub(),
    };
  }

  /** Starts to keep the read models up with the log, and nothing else; resolves when they have caught up. */
  async startProjections(options: StartOptions = {}): Promise<void> {
    await this.host?.start(options);
  }

  /** Starts to follow the log; resolves when requests can be answered. */
  async start(): Promise<void> {
    new EventLoopDelays(this.requestDelays).measure();
    await this.startProjections();
    await this.follower.start();
    await Promise.all(projections.map((projection) => this.noteBacklog(projection)));
    this.checking = this.servedModels().run(this.ending.signal);
  }

  /**
   * Runs the reactors of this process, one of each among all processes; resolves when all that is appended from now on will
   * be acted on, here or wherever they run.
   *
   * @param awaited those that a reply waits for, because clients look for what they do
   * @throws LogIncompleteError
   */
  async react(reactors: readonly Reactor[], awaited: readonly Reactor[]): Promise<void> {
    const { log, readStore } = this.stores;
    const options = { holder: this.holder, logger: this.logger };
    const runners = reactors.map((reactor) => new ReactorRunner({ log, readStore }, reactor, options));
    const followers = runners.map(async (runner) => {
      return { name: `the reactor "${runner.name}"`, position: await runner.storedPosition() };
    });
    await refuseShorterLog(this.stores.eventStore, await Promise.all(followers));
    await Promise.all(runners.map((runner) => runner.begin()));
    const running = runners.map((runner, index) => {
      const reactor = reactors[index]!;
      this.runners.set(reactor, runner);
      if (awaited.includes(reactor)) this.awaited.push(followerOf(reactor, runner));
      return this.isProjector ? runner.run(this.ending.signal) : Promise.resolve();
    });
    this.reacting = Promise.all(running);
  }

  /** Whether a reactor has acted, here or in the process that runs it, on everything up to a position, within the time. */
  hasReacted(
    reactor: Reactor,
    { position, milliseconds }: { readonly position: number; readonly milliseconds: number },
  ): Promise<boolean> {
    return this.runners.get(reactor)?.waitUntil(position, milliseconds) ?? Promise.resolve(false);
  }

  /** How the reactors are doing, as this process knows. */
  reactorStatus(): readonly ReactorStatus[] {
    return [...this.runners.values()].map((runner) => runner.status());
  }

  /** Tells the clients of this process of events; replies wait until those who are live here find them. */
  async tell(feed: LogFollower & Telling): Promise<void> {
    await feed.start();
    this.awaited.push(feed);
    this.telling = feed;
  }

  /** Performs the jobs of this process, each in one among all processes. */
  perform(jobs: readonly Job[]): void {
    if (!this.isProjector) return;
    const { holder, logger } = this;
    const runners = jobs.map((job) => new JobRunner(this.stores.readStore, job, { holder, logger }));
    this.performing = Promise.all(runners.map((runner) => runner.run(this.ending.signal)));
  }

  /** How far this process, or the models that it reads, lag behind the log, in milliseconds. */
  lagMilliseconds(): number {
    return Math.max(this.follower.lagMilliseconds(), this.positions.lagMilliseconds());
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await Promise.all([this.readers.close(), this.pastLooks.close(), this.proofWorks.close()]);
    await Promise.all([this.readers.close(), this.pastLooks.close(), this.caseTasks.close()]);
    await this.ownData.close();
    await this.telling?.stop();
    await this.reacting;
    await this.performing;
    await this.checking;
    await this.follower.stop();
    await this.host?.stop();
    await this.snapshots.close();
  }

  /**
   * After a crash no process advances a model until its lease has run out: this one then lags from the beginning, though it has
   * written nothing yet.
   */
  private async noteBacklog({ name, on }: Projection): Promise<void> {
    const { eventStore, readStore } = this.stores;
    if ((await readStore.servingVersion(name)) === null) return;
    const after = await this.storedPosition(name);
    for await (const { events } of eventStore.readAll({ after, types: Object.keys(on) })) {
      const [first] = events;
      if (first === undefined) continue;
      const age = this.clock.now() - Number(first.metadata['at']);
      return this.positions.expect(name, { position: events.at(-1)!.position, age });
    }
  }

  private get isProjector(): boolean {
    return this.configuration.nodeRoles.has('projector');
  }

  private projectionHost(): ProjectionHost {
    const configuration: ProjectorConfiguration = {
      ...this.storeConfiguration,
      holder: this.holder,
      delays: this.projectorDelays,
      tracing: this.configuration.tracing,
    };
    const module = new URL('./projector-environment.js', import.meta.url).href;
    return new ProjectionHost({
      launch: launchInThread({ module, configuration }),
      projections,
      readStore: this.stores.readStore,
      positions: this.positions,
      logger: this.logger,
      holder: this.holder,
      onProgress: (name) => this.models.moved(name),
      onSwitch: (name) => {
        this.models.forget(name);
        this.readers.forgetModels();
      },
      onDrop: () => this.readers.forgetModels(),
    });
  }

  private readerPool(): ReaderPool {
    const { threads, timeoutSeconds } = this.configuration.readers;
    const module = new URL('./reader-node.js', import.meta.url).href;
    return new ReaderPool({
      composition: { module, configuration: this.storeConfiguration },
      threads,
      timeout: timeoutSeconds * 1000,
      position: () => this.follower.current().position,
      logger: this.logger,
      observer: this.observations,
    });
  }

  private get storeConfiguration(): StoreConfiguration {
    const { dataDirectory, eventStoreUrl, mongodbUrl, serverKeyFile } = this.configuration;
    return { dataDirectory, eventStoreUrl, mongodbUrl, serverKeyFile };
  }

  private directoryModel(): Promise<ModelStore | null> {
    const { name, collections } = directoryModel;
    return openServingModel(this.stores.readStore, name, collections);
  }

  /** Looks whether what requests read follows the log. */
  private servedModels(): ServedModelsCheck {
    const { eventStore, readStore } = this.stores;
    return new ServedModelsCheck({
      projections,
      eventStore,
      checkpointOf: async (name) =>
        (await readStore.servingVersion(name)) === null ? undefined : this.storedPosition(name),
      report: ({ projection, ...served }) => this.positions.reportServed(projection, served),
    });
  }

  private async storedPosition(name: string): Promise<number | null> {
    const projection = projections.find((one) => one.name === name);
    if (projection === undefined) return null;
    const model = await this.models.get(name, projection.collections);
    this.models.moved(name);
    return (await model.checkpoint()).position;
  }
}

/**
 * Names this process to the others that want the leases. Embedded models are those of the one process that holds the data
 * directory's lock: after a crash the next one takes the leases back without waiting for them to run out.
 */
function holderOf({ mongodbUrl }: Configuration): string {
  return mongodbUrl === null
    ? 'the process of this data directory'
    : `${hostname()}/${process.pid}/${randomUUID()}`;
}

function followerOf({ on }: Reactor, runner: ReactorRunner): LogFollower {
  return {
    waitUntil: ({ position, types, milliseconds }) =>
      types.some((type) => Object.hasOwn(on, type))
        ? runner.waitUntil(position, milliseconds)
        : Promise.resolve(true),
  };
}
