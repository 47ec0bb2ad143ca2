import type { ModelPositions } from '../../projections/engine/model-positions.js';
import { OperatorSettings, type DiscardedEvent } from '../../projections/engine/operator-settings.js';
import type { EventReference } from '../../projections/engine/poison-event.js';
import {
  NothingDiscardedError,
  type ProjectionHost,
  type RestoredEvents,
} from '../../projections/engine/projection-host.js';
import type { ReactorRunner } from '../../projections/engine/reactor-runner.js';
import { reactorTitle } from '../../projections/engine/reactor-status.js';
import type { Projection } from '../../projections/engine/projection.js';
import type { Clock } from '../kernel/clock.js';
import type { Stores } from '../stores/stores.js';
import { reportProjections, type ProjectionReport } from './projection-report.js';
import { reportReactors, type ReactorReport } from './reactor-report.js';
import { OperatorError } from '../kernel/errors.js';

/** What {@link ProjectionOperations} works with. */
export interface ProjectionOperationsOptions {
  readonly stores: Pick<Stores, 'eventStore' | 'readStore'>;
  readonly projections: readonly Projection[];
  readonly positions: ModelPositions;
  /** Null: this process keeps no models. */
  readonly host: ProjectionHost | null;
  readonly clock: Clock;
  /** The reactors of this process. */
  readonly reactors: () => readonly ReactorRunner[];
}

/** An event that a projection could not apply, or that a reactor could not act on. */
export interface DeadLetter {
  /** A reactor is named `reactor:<name>`. */
  readonly projection: string;
  readonly event: EventReference;
  readonly reason: string;
  /** `waiting`: the projection, or what is rebuilt of it, stands before it; `discarded`: it was given up. */
  readonly state: 'waiting' | 'discarded';
}

/** How far a rebuild has come. */
export interface RebuildProgress {
  readonly projection: string;
  /** Events applied by now. */
  readonly events: number;
  readonly position: number | null;
  /** Where the log ends. */
  readonly head: number | null;
}

/** The rebuilds that are under way at a moment. */
export interface RebuildsUnderWay {
  readonly builds: readonly Omit<RebuildProgress, 'head'>[];
  /** How many read models there are. */
  readonly models: number;
  /** Where the log ends. */
  readonly head: number | null;
}

/** What was asked for cannot be done. The message is a sentence for the operator. */
export class OperationRefusedError extends OperatorError {
  override readonly name = 'OperationRefusedError';
}

/** What operators do with the read models of a running process. */
export class ProjectionOperations {
  constructor(private readonly options: ProjectionOperationsOptions) {}

  /** How every read model is doing. */
  status(): Promise<readonly ProjectionReport[]> {
    const { stores, projections, positions, host, clock } = this.options;
    return reportProjections({
      ...stores,
      projections,
      clock,
      status: positions.status(),
      builds: host?.builds.progress() ?? [],
    });
  }

  /** How far every rebuild has come that is under way. */
  async rebuilds(): Promise<RebuildsUnderWay> {
    const { stores, projections, host } = this.options;
    const head = await stores.eventStore.head();
    return { builds: host?.builds.progress() ?? [], models: projections.length, head };
  }

  /** How every reactor is doing. */
  reactors(): Promise<readonly ReactorReport[]> {
    const { stores, reactors } = this.options;
    return reportReactors(
      stores.eventStore,
      reactors().map((runner) => runner.status()),
    );
  }

  /**
   * Rebuilds models from nothing, two at a time, while those that serve go on.
   *
   * @throws UnknownProjectionError, BuildFailedError
   */
  async rebuild(
    names: readonly string[],
    eventsPerSecond: number | null,
    report: (progress: RebuildProgress) => void,
  ): Promise<readonly { readonly projection: string; readonly version: number }[]> {
    const { stores } = this.options;
    const host = this.host();
    const head = await stores.eventStore.head();
    const onProgress = ({ projection, events, position }: RebuildProgress): void =>
      report({ projection, events, position, head });
    const waiting = [...names];
    const rebuilt: { projection: string; version: number }[] = [];
    const work = async (): Promise<void> => {
      for (let projection = waiting.shift(); projection !== undefined; projection = waiting.shift()) {
        const request = {
          eventsPerSecond,
          onProgress: (progress: Omit<RebuildProgress, 'head'>) => onProgress({ ...progress, head }),
        };
        rebuilt.push({ projection, version: await host.builds.rebuild(projection, request) });
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

  /** Events that projections stand before, and those that were given up. */
  async deadLetters(): Promise<readonly DeadLetter[]> {
    const { positions, reactors } = this.options;
    const followers = [
      ...positions.status(),
      ...reactors()
        .map((runner) => runner.status())
        .map(({ reactor, stoppage }) => ({ projection: reactorTitle(reactor), stoppage })),
    ];
    const settings = new OperatorSettings(this.options.stores.readStore);
    const lists = await Promise.all(
      followers.map(async ({ projection, stoppage }): Promise<readonly DeadLetter[]> => {
        const { discarded, stoppedBuild } = await settings.of(projection);
        const letters = [stoppage, stoppedBuild].flatMap((stopped): DeadLetter[] => {
          if (!stopped?.event) return [];
          const { reason, event } = stopped;
          // Until it has moved on, a projection stands before what was just given up.
          const isGivenUp = discarded.some(({ id }) => id === event.id);
          return isGivenUp ? [] : [{ projection, event, reason, state: 'waiting' }];
        });
        const waiting = letters.filter(
          ({ event }, index) => index === 0 || event.id !== letters[0]?.event.id,
        );
        return [...waiting, ...discarded.map((event) => discardedLetter(projection, event))];
      }),
    );
    const letters = lists.flat();
    return [...letters.filter(isWaiting), ...letters.filter((letter) => !isWaiting(letter))];
  }

  /** Tries the event that a projection stands before again at once. @throws OperationRefusedError */
  async retry(name: string): Promise<EventReference> {
    const { event } = await this.waitingLetter(name);
    const reactor = this.reactorOf(name);
    if (reactor !== undefined) reactor.retry();
    else await this.host().retry(name);
    return event;
  }

  /** Gives the event up that a projection stands before. @throws OperationRefusedError */
  async discard(name: string): Promise<EventReference> {
    const { event, reason } = await this.waitingLetter(name);
    const { id, type, stream, position } = event;
    const given = { id, type, stream, position, reason, discardedAt: this.options.clock.now() };
    await (this.reactorOf(name)?.discard(given) ?? this.host().discard(name, given));
    return event;
  }

  /**
   * Takes back that events were given up: a model is built anew with them, a reactor acts on them now.
   *
   * @param id of one event; null: all that were given up of it
   * @throws NothingDiscardedError, BuildFailedError, OperationRefusedError
   */
  async restore(
    { projection: name, id }: { readonly projection: string; readonly id: string | null },
    report: (progress: RebuildProgress) => void,
  ): Promise<RestoredEvents> {
    const reactor = this.reactorOf(name);
    if (reactor !== undefined) return this.restoreReactor(reactor, id);
    const head = await this.options.stores.eventStore.head();
    const onProgress = (progress: Omit<RebuildProgress, 'head'>): void => report({ ...progress, head });
    return this.host().restore(name, id, { onProgress });
  }

  private async restoreReactor(reactor: ReactorRunner, id: string | null): Promise<RestoredEvents> {
    const events = (await reactor.discarded()).filter((event) => id === null || event.id === id);
    if (events.length === 0) throw new NothingDiscardedError(reactorTitle(reactor.name));
    if (reactor.status().state === 'standby')
      throw new OperationRefusedError('Another process runs the reactor: ask that one.');
    for (const event of events) await reactor.restore(event);
    return { events, version: null };
  }

  private async waitingLetter(name: string): Promise<DeadLetter> {
    const letters = await this.deadLetters();
    const letter = letters.find((one) => one.projection === name && isWaiting(one));
    if (letter === undefined) throw new OperationRefusedError(`${name} does not stand before an event.`);
    return letter;
  }

  private reactorOf(name: string): ReactorRunner | undefined {
    return this.options.reactors().find((runner) => reactorTitle(runner.name) === name);
  }

  private host(): ProjectionHost {
    const { host } = this.options;
    if (host !== null) return host;
    throw new OperationRefusedError(
      'This process keeps no read models: ask the one whose NODE_ROLES name the projector.',
    );
  }
}

function isWaiting({ state }: DeadLetter): boolean {
  return state === 'waiting';
}

function discardedLetter(
  projection: string,
  { reason, discardedAt: _, ...event }: DiscardedEvent,
): DeadLetter {
  return { projection, event, reason, state: 'discarded' };
}
