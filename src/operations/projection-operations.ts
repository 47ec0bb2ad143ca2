import type { ModelPositions } from '../../projections/engine/model-positions.js';
import { projectionNamed } from '../../projections/engine/model-versions.js';
import { OperatorSettings } from '../../projections/engine/operator-settings.js';
import type { EventReference } from '../../projections/engine/poison-event.js';
import {
  NothingDiscardedError,
  type ProjectionHost,
  type RestoredEvents,
} from '../../projections/engine/projection-host.js';
import type { ReactorRunner } from '../../projections/engine/reactor-runner.js';
import { reactorTitle, type ReactorStatus } from '../../projections/engine/reactor-status.js';
import type { Projection } from '../../projections/engine/projection.js';
import type { RunningBuild } from '../../projections/engine/projector-protocol.js';
import type { ModelOperation } from '../events/operations.js';
import type { Clock } from '../kernel/clock.js';
import type { Stores } from '../stores/stores.js';
import {
  deadLettersOf,
  isWaiting,
  letterNamed,
  OperationRefusedError,
  type DeadLetter,
  type NamedEvent,
} from './dead-letters.js';
import { reportProjections, type KnownModel, type ProjectionReport } from './projection-report.js';
import { reportReactors, type ReactorReport } from './reactor-report.js';
import type { RebuildProgress, RebuildRequest, RebuildsUnderWay } from './rebuilds.js';

/** Dependencies of {@link ProjectionOperations}. */
export interface ProjectionOperationsOptions {
  readonly stores: Pick<Stores, 'eventStore' | 'readStore'>;
  readonly projections: readonly Projection[];
  readonly positions: ModelPositions;
  /** Null: this process does not run the projections. */
  readonly host: ProjectionHost | null;
  readonly clock: Clock;
  /** The reactors of this process. */
  readonly reactors: () => readonly ReactorRunner[];
}

/** Operations that do not need the projections: the one builds a model in a thread of its own, the other removes files. */
export const anywhere: ReadonlySet<ModelOperation> = new Set(['verify', 'drop-snapshots']);

/** Operations on the events at which a read model or a reactor is halted. The others are for read models alone. */
export const ofReactors: ReadonlySet<ModelOperation> = new Set(['retry', 'discard', 'restore']);

/** Operators' operations on the read models of a running process. */
export class ProjectionOperations {
  constructor(protected readonly options: ProjectionOperationsOptions) {}

  /** The state of every read model. */
  status(): Promise<readonly ProjectionReport[]> {
    const { stores, projections, clock } = this.options;
    const [status, builds] = [this.models(), this.builds()];
    return reportProjections({ ...stores, projections, clock, status, builds });
  }

  /** What is known of each model. */
  models(): readonly KnownModel[] {
    return this.options.positions.status().map((status) => ({ ...status, isElsewhere: false }));
  }

  /** What is known of each reactor. */
  reactorStatuses(): readonly ReactorStatus[] {
    return this.options.reactors().map((runner) => runner.status());
  }

  /** The builds that are running. */
  builds(): readonly RunningBuild[] {
    return this.options.host?.builds.progress() ?? [];
  }

  /** The progress of every running rebuild. */
  async rebuilds(): Promise<RebuildsUnderWay> {
    const { stores, projections } = this.options;
    const head = await stores.eventStore.head();
    return { builds: this.builds(), models: projections.length, head };
  }

  /** The state of every reactor. */
  reactors(): Promise<readonly ReactorReport[]> {
    return reportReactors(this.options.stores.eventStore, this.reactorStatuses());
  }

  /**
   * Asserts that an operation on a model or reactor can be carried out, before the operation is recorded.
   *
   * @throws OperationRefusedError, UnknownProjectionError
   */
  assertPossible(operation: ModelOperation, name: string | null): void {
    const reactor = name === null || !ofReactors.has(operation) ? undefined : this.reactorOf(name);
    if (reactor !== undefined) return assertActsHere(reactor);
    if (name !== null) projectionNamed(name, this.options.projections);
    if (!anywhere.has(operation)) this.host();
  }

  /** Whether another process has to carry out an operation, so that its result comes later. */
  isElsewhere(_operation: ModelOperation, _name: string): boolean {
    return false;
  }

  /**
   * Rebuilds models from an empty state, two at a time. The present versions go on serving meanwhile.
   *
   * @throws UnknownProjectionError, BuildFailedError
   */
  async rebuild(
    names: readonly string[],
    eventsPerSecond: number | null,
    report: (progress: RebuildProgress) => void,
  ): Promise<readonly { readonly projection: string; readonly version: number }[]> {
    const head = await this.options.stores.eventStore.head();
    const waiting = [...names];
    const rebuilt: { projection: string; version: number }[] = [];
    const work = async (): Promise<void> => {
      for (let projection = waiting.shift(); projection !== undefined; projection = waiting.shift()) {
        const version = await this.rebuildOne({ projection, eventsPerSecond, head }, report);
        rebuilt.push({ projection, version });
      }
    };
    await Promise.all([work(), work()]);
    return rebuilt;
  }

  rollback(name: string): Promise<number> {
    return this.host().builds.rollback(name);
  }

  drop(name: string): Promise<readonly number[]> {
    return this.host().builds.drop(name);
  }

  setPaused(name: string, isPaused: boolean): Promise<void> {
    return this.host().setPaused(name, isPaused);
  }

  /** The events at which projections are halted, and those that were discarded. */
  async deadLetters(): Promise<readonly DeadLetter[]> {
    const reactors = this.reactorStatuses().map(({ reactor, stoppage }) => ({
      projection: reactorTitle(reactor),
      stoppage,
    }));
    const followers = [...this.models(), ...reactors];
    return deadLettersOf(followers, new OperatorSettings(this.options.stores.readStore));
  }

  /**
   * Immediately retries the event at which a projection is halted.
   *
   * @throws OperationRefusedError, also when it is not halted at the event that is named
   */
  async retry({ projection: name, id }: NamedEvent): Promise<EventReference> {
    const { event } = letterNamed(await this.waitingLetters(name), { projection: name, id });
    const reactor = this.reactorOf(name);
    if (reactor !== undefined) reactor.retry();
    else await this.host().retry(name);
    return event;
  }

  /**
   * Discards the event at which a projection is halted.
   *
   * @throws OperationRefusedError, also when it is not halted at the event that is named, or is halted at several and none is named
   */
  async discard({ projection: name, id: eventId }: NamedEvent): Promise<EventReference> {
    const letters = await this.waitingLetters(name);
    if (eventId === null && letters.length > 1)
      throw new OperationRefusedError(`${name} is halted at ${letters.length} events: name one of them.`);
    const { event, reason } = letterNamed(letters, { projection: name, id: eventId });
    const { id, type, stream, position } = event;
    const given = { id, type, stream, position, reason, discardedAt: this.options.clock.now() };
    await (this.reactorOf(name)?.discard(given) ?? this.host().discard(name, given));
    return event;
  }

  /**
   * Restores events that were discarded: a model is rebuilt with them, a reactor handles them now.
   *
   * @param id of one event; null: all events that were discarded
   * @throws NothingDiscardedError, BuildFailedError, OperationRefusedError
   */
  async restore(
    { projection: name, id }: NamedEvent,
    report: (progress: RebuildProgress) => void,
  ): Promise<RestoredEvents> {
    const reactor = this.reactorOf(name);
    if (reactor !== undefined) return this.restoreReactor(reactor, id);
    const head = await this.options.stores.eventStore.head();
    const onProgress = (progress: Omit<RebuildProgress, 'head'>): void => report({ ...progress, head });
    return this.host().restore(name, id, { onProgress });
  }

  /** Rebuilds one model. @returns the stored version that serves now */
  protected async rebuildOne(
    { projection, eventsPerSecond, head }: RebuildRequest,
    report: (progress: RebuildProgress) => void,
  ): Promise<number> {
    const onProgress = ({ events, position }: Omit<RebuildProgress, 'head'>): void =>
      report({ projection, events, position, head });
    return this.host().builds.rebuild(projection, { eventsPerSecond, onProgress });
  }

  private async restoreReactor(reactor: ReactorRunner, id: string | null): Promise<RestoredEvents> {
    const events = (await reactor.discarded()).filter((event) => id === null || event.id === id);
    if (events.length === 0) throw new NothingDiscardedError(reactorTitle(reactor.name));
    assertActsHere(reactor);
    for (const event of events) await reactor.restore(event);
    return { events, version: null };
  }

  /** The events at which a projection and its rebuild are halted. */
  private async waitingLetters(name: string): Promise<readonly DeadLetter[]> {
    return (await this.deadLetters()).filter((one) => one.projection === name && isWaiting(one));
  }

  /** The reactor of a dead letter; undefined: it is a model's. */
  protected reactorOf(name: string): ReactorRunner | undefined {
    return this.options.reactors().find((runner) => reactorTitle(runner.name) === name);
  }

  private host(): ProjectionHost {
    const { host } = this.options;
    if (host !== null) return host;
    throw new OperationRefusedError(
      'This process keeps no read models: ask the one whose NODE_ROLES name the projector. None that runs has reported that it keeps this one.',
    );
  }
}

/** @throws OperationRefusedError when another process runs the reactor */
function assertActsHere(reactor: ReactorRunner): void {
  if (reactor.status().state === 'standby')
    throw new OperationRefusedError('Another process runs the reactor, or none does: none has reported it.');
}
