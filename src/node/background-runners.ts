import type { Job } from '../../projections/engine/background-work.js';
import { JobRunner } from '../../projections/engine/job-runner.js';
import type { Reactor } from '../../projections/engine/reactor.js';
import { ReactorRunner } from '../../projections/engine/reactor-runner.js';
import type { ReactorStatus } from '../../projections/engine/reactor-status.js';
import type { LogFollower } from '../http/consistency.js';
import type { Logger } from '../http/monitoring/logger.js';
import type { Stores } from '../stores/stores.js';
import { refuseShorterLog } from './complete-stores.js';

/** How a process runs its reactors and jobs. */
interface BackgroundRunnersOptions {
  readonly stores: Pick<Stores, 'log' | 'readStore' | 'eventStore'>;
  /** Identifies this process to others that compete for the leases. */
  readonly processName: string;
  readonly logger: Logger;
  /** Whether the organization is deactivated. */
  readonly isDeactivated: () => boolean;
  /** Whether this process runs them; otherwise it only follows the checkpoints of the process that does. */
  readonly runsHere: boolean;
  /** Stops the reactors and jobs. */
  readonly signal: AbortSignal;
}

/** The reactors and jobs of one process. Among all processes, each of them runs only once at a time. */
export class BackgroundRunners {
  private readonly runners = new Map<Reactor, ReactorRunner>();
  private reacting: Promise<unknown> = Promise.resolve();
  private performing: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: BackgroundRunnersOptions) {
    const giveUp = (): void => this.reactors.forEach((runner) => runner.giveUp());
    options.signal.addEventListener('abort', giveUp, { once: true });
  }

  get reactors(): readonly ReactorRunner[] {
    return [...this.runners.values()];
  }

  /**
   * Starts the reactors. Resolves when every event that is appended from now on will be handled, by this process or
   * another one.
   *
   * @param awaited the reactors that a reply waits for, because clients expect their results
   * @returns followers of the log that such a reply waits for
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

  /**
   * Waits until a reactor, in this process or another, has handled everything up to a position; false: not in time, or not before this process
   * stopped its reactors, of which one may be the caller.
   */
  hasReacted(
    reactor: Reactor,
    { position, milliseconds }: { readonly position: number; readonly milliseconds: number },
  ): Promise<boolean> {
    const runner = this.runners.get(reactor);
    if (runner === undefined || this.options.signal.aborted) return Promise.resolve(false);
    return runner.waitUntil(position, milliseconds);
  }

  /** The state of the reactors, as far as this process knows it. */
  status(): readonly ReactorStatus[] {
    return this.reactors.map((runner) => runner.status());
  }

  perform(jobs: readonly Job[]): void {
    const { stores, runsHere, signal } = this.options;
    if (!runsHere) return;
    const runners = jobs.map((job) => new JobRunner(stores.readStore, job, this.options));
    this.performing = Promise.all(runners.map((runner) => runner.run(signal)));
  }

  /** Resolves when all have stopped after the abort signal. */
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
