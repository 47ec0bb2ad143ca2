import type { Job } from '../../projections/engine/job.js';
import { JobRunner } from '../../projections/engine/job-runner.js';
import type { Reactor } from '../../projections/engine/reactor.js';
import { ReactorRunner } from '../../projections/engine/reactor-runner.js';
import type { ReactorStatus } from '../../projections/engine/reactor-status.js';
import type { LogFollower } from '../http/consistency.js';
import type { Logger } from '../http/monitoring/logger.js';
import type { Stores } from '../stores/stores.js';
import { refuseShorterLog } from './complete-stores.js';

/** How the reactors and jobs of a process are run. */
export interface BackgroundRunnersOptions {
  readonly stores: Pick<Stores, 'log' | 'readStore' | 'eventStore'>;
  /** Names this process among those that want the leases. */
  readonly processName: string;
  readonly logger: Logger;
  /** Whether the organization is deactivated now. */
  readonly isClosed: () => boolean;
  /** Whether this process runs them; else it only knows how far another has come. */
  readonly runsHere: boolean;
  /** Ends them. */
  readonly signal: AbortSignal;
}

/** The reactors and jobs of one process, one of each among all processes. */
export class BackgroundRunners {
  private readonly runners = new Map<Reactor, ReactorRunner>();
  private reacting: Promise<unknown> = Promise.resolve();
  private performing: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: BackgroundRunnersOptions) {}

  get reactors(): readonly ReactorRunner[] {
    return [...this.runners.values()];
  }

  /**
   * Runs the reactors; resolves when all that is appended from now on will be acted on, here or wherever they run.
   *
   * @param awaited those that a reply waits for, because clients look for what they do
   * @returns what such a reply waits for
   * @throws LogIncompleteError
   */
  async react(reactors: readonly Reactor[], awaited: readonly Reactor[]): Promise<readonly LogFollower[]> {
    const { stores, processName, logger, runsHere, signal } = this.options;
    const runners = reactors.map((reactor) => new ReactorRunner(stores, reactor, { processName, logger }));
    const followers = runners.map(async (runner) => {
      return { name: `the reactor "${runner.name}"`, position: await runner.storedPosition() };
    });
    await refuseShorterLog(stores.eventStore, await Promise.all(followers));
    await Promise.all(runners.map((runner) => runner.begin()));
    for (const [index, runner] of runners.entries()) this.runners.set(reactors[index]!, runner);
    this.reacting = Promise.all(runsHere ? runners.map((runner) => runner.run(signal)) : []);
    return awaited.flatMap((reactor) => {
      const runner = this.runners.get(reactor);
      return runner === undefined ? [] : [followerOf(reactor, runner)];
    });
  }

  /** Whether a reactor has acted, here or in the process that runs it, on everything up to a position, within the time. */
  hasReacted(
    reactor: Reactor,
    { position, milliseconds }: { readonly position: number; readonly milliseconds: number },
  ): Promise<boolean> {
    return this.runners.get(reactor)?.waitUntil(position, milliseconds) ?? Promise.resolve(false);
  }

  /** How the reactors are doing, as this process knows. */
  status(): readonly ReactorStatus[] {
    return this.reactors.map((runner) => runner.status());
  }

  /** Performs the jobs. */
  perform(jobs: readonly Job[]): void {
    const { stores, runsHere, signal } = this.options;
    if (!runsHere) return;
    const runners = jobs.map((job) => new JobRunner(stores.readStore, job, this.options));
    this.performing = Promise.all(runners.map((runner) => runner.run(signal)));
  }

  /** Resolves when all have ended, after the signal. */
  async ended(): Promise<void> {
    await this.reacting;
    await this.performing;
  }
}

function followerOf({ on }: Reactor, runner: ReactorRunner): LogFollower {
  return {
    waitUntil: ({ position, types, milliseconds }) =>
      types.some((type) => Object.hasOwn(on, type))
        ? runner.waitUntil(position, milliseconds)
        : Promise.resolve(true),
  };
}
