import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { launchInThread } from '../projections/engine/projector-launch.js';
import { ModelPositions } from '../projections/engine/model-positions.js';
import { ProjectionHost } from '../projections/engine/projection-host.js';
import type { Projection } from '../projections/engine/projection.js';
import type { Reactor } from '../projections/engine/reactor.js';
import type { Duty } from '../projections/engine/duty.js';
import { DutyRunner } from '../projections/engine/duty-runner.js';
import { ReactorRunner, type ReactorStatus } from '../projections/engine/reactor-runner.js';
import { directoryProjection } from '../projections/directory.projection.js';
import { projections } from '../projections/registry.js';
import { refuseShorterLog } from './complete-stores.js';
import type { Configuration } from './config.js';
import { DirectoryFollower } from './directory/directory-follower.js';
import { Snapshots, snapshotsDirectory } from './event-store/snapshots/snapshots.js';
import { ConsistentLog, type LogFollower } from './http/consistency.js';
import type { ErasableModels } from './erasure/erasable-models.js';
import type { Logger } from './http/operations/logger.js';
import { ProjectionOperations } from './operations/projection-operations.js';
import { ServingModels } from './read-store/serving-models.js';
import type { ModelStore } from './read-store/port.js';
import type { Stores } from './stores.js';
import { SystemClock } from './system-clock.js';
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

  private readonly awaited: LogFollower[];
  private readonly host: ProjectionHost | null;
  /** Names this process among those on the same stores. */
  readonly holder: string;
  private readonly ending = new AbortController();
  private telling: Telling | null = null;
  private readonly runners = new Map<Reactor, ReactorRunner>();
  private reacting: Promise<unknown> = Promise.resolve();
  private performing: Promise<unknown> = Promise.resolve();

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
      { waitUntil: (write) => this.positions.waitUntil(write) },
      { waitUntil: (write) => this.follower.waitUntil(write, write.milliseconds) },
    ];
    this.log = new ConsistentLog(eventStore, codec, this.awaited);
    this.snapshots = new Snapshots({
      directory: snapshotsDirectory(configuration.dataDirectory),
      log,
      vault: stores.vault,
      logger,
      now: () => this.clock.now(),
    });
    this.host = this.isProjector ? this.projectionHost() : null;
  }

  /** What operators do with the read models. */
  get operations(): ProjectionOperations {
    const { stores, positions, host, clock } = this;
    const reactors = (): readonly ReactorRunner[] => [...this.runners.values()];
    return new ProjectionOperations({ stores, projections, positions, host, clock, reactors });
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
  async startProjections(): Promise<void> {
    await this.host?.start();
  }

  /** Starts to follow the log; resolves when requests can be answered. */
  async start(): Promise<void> {
    await this.startProjections();
    await this.follower.start();
    await Promise.all(projections.map((projection) => this.noteBacklog(projection)));
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

  /** Performs the duties of this process, each in one among all processes. */
  perform(duties: readonly Duty[]): void {
    if (!this.isProjector) return;
    const { holder, logger } = this;
    const runners = duties.map((duty) => new DutyRunner(this.stores.readStore, duty, { holder, logger }));
    this.performing = Promise.all(runners.map((runner) => runner.run(this.ending.signal)));
  }

  /** How far this process, or the models that it reads, lag behind the log, in milliseconds. */
  lagMilliseconds(): number {
    return Math.max(this.follower.lagMilliseconds(), this.positions.lagMilliseconds());
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.telling?.stop();
    await this.reacting;
    await this.performing;
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
    const { dataDirectory, eventStoreUrl, mongodbUrl, serverKeyFile } = this.configuration;
    const configuration: ProjectorConfiguration = {
      dataDirectory,
      eventStoreUrl,
      mongodbUrl,
      serverKeyFile,
      holder: this.holder,
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
      onSwitch: (name) => this.models.forget(name),
    });
  }

  private async directoryModel(): Promise<ModelStore | null> {
    const { name, collections } = directoryProjection;
    const version = await this.stores.readStore.servingVersion(name);
    return version === null ? null : this.stores.readStore.openModel(name, version, collections);
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
