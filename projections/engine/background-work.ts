import { DiscoveryService } from '@nestjs/core';
import type { Reactor } from './reactor.js';

/** Something that must happen at a certain time: the job periodically looks for what is due. */
export interface Job {
  /** In kebab case, unique among jobs. The name of the lease contains it. */
  readonly name: string;
  /** The interval between two runs. */
  readonly everyMilliseconds: number;
  /** Whether due work waits while the organization is deactivated; absent: it does not. */
  readonly pausesWhileDeactivated?: boolean;
  /**
   * Does what is due. It may be repeated after a crash, or when another process takes over, so it must decide by the streams, which record
   * what was done, and never by its own memory alone. `UnrecordedOutcomes` keeps what could not be recorded.
   */
  perform(this: void): Promise<void>;
}

/** How a reactor is run. */
interface ReactorTerms {
  /** Whether replies wait for the reactor: clients expect its effects to be part of the change. */
  readonly awaited: boolean;
}

/** Marks a provider of a context's module as a {@link Reactor} that the server runs. By default, replies do not wait for it. */
export const RunsAsReactor = DiscoveryService.createDecorator<ReactorTerms>();

/** Marks a provider of a context's module as a {@link Job} that the server performs. */
export const RunsAsJob = DiscoveryService.createDecorator<never>();

/** Finds the reactors of all contexts. */
export function reactorsOf(discovery: DiscoveryService): {
  readonly all: readonly Reactor[];
  readonly awaited: readonly Reactor[];
} {
  const found = discovery.getProviders({ metadataKey: RunsAsReactor.KEY }).map((provider) => ({
    reactor: provider.instance as Reactor,
    terms: discovery.getMetadataByDecorator(RunsAsReactor, provider),
  }));
  return {
    all: found.map(({ reactor }) => reactor),
    awaited: found.filter(({ terms }) => terms?.awaited).map(({ reactor }) => reactor),
  };
}

/** Finds the jobs of all contexts. */
export function jobsOf(discovery: DiscoveryService): readonly Job[] {
  return discovery.getProviders({ metadataKey: RunsAsJob.KEY }).map(({ instance }) => instance as Job);
}
