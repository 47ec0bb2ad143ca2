import { Module, type DynamicModule, type ModuleMetadata, type Provider, type Type } from '@nestjs/common';
import { CqrsModule, QueryBus } from '@nestjs/cqrs';
import { presentOwners } from '../access/account-owners.js';
import { Metrics } from '../http/monitoring/metrics.js';
import { Readers } from '../reader-threads/readers.js';
import { AcknowledgeEventsHandler, DeleteQueueHandler, RegisterClientHandler } from './commands/queues.js';
import { Delivery } from './delivery.js';
import { EphemeralEvents } from './ephemeral-events.js';
import { EventFeed, type EventFeedOptions } from './event-feed.js';
import { GetEventsHandler } from './queries/get-events.js';
import { EventQueues } from './queues/event-queues.js';
import { PastDirectories } from './recovery/past-directories.js';
import { QueuePersistence } from './recovery/queue-persistence.js';
import { QueueTakeover } from './recovery/queue-takeover.js';
import type { PersistedEvent } from '../stores/event-store/port.js';
import type { QueueStore } from '../stores/queue-store/port.js';
import { RealtimeController } from './realtime.controller.js';
import { StateReader, type StateReaderOptions } from './state-reader.js';
import type { MappersByType } from './mapper.js';
import { DescribedContexts } from './client-event-schema.js';

/** What real time needs from the node. */
interface RealtimeNode extends Pick<EventFeedOptions, 'follower' | 'positions' | 'clock' | 'logger'> {
  readonly stores: Pick<EventFeedOptions, 'log'> & { readonly queueStore: QueueStore };
  /** Unique among all processes that share the stores. */
  readonly processName: string;
}

/** The client events, the initial state and the read models of all contexts. */
export interface ContextsForClients<Models> extends Pick<
  StateReaderOptions<Models>,
  'initialState' | 'laterState'
> {
  readonly mappers: MappersByType<Models>;
  /** Tells the models of each page of the log before its events are mapped. */
  appended(models: Models, events: readonly PersistedEvent[]): void;
  /** The schemas of client events and initial state, for the documentation page. */
  readonly described: DescribedContexts;
  /** Reads what events and state are made from; it may inject {@link EventQueues}. */
  readonly models: Type<Models>;
  /** Other classes that the models depend on. */
  readonly providers: readonly Type<object>[];
  /** Modules that export what the models depend on. */
  readonly imports: NonNullable<ModuleMetadata['imports']>;
}

/** Real time: queues of client events, and the initial state of clients. */
@Module({})
export class RealtimeModule {
  static register<Models>(node: RealtimeNode, contexts: ContextsForClients<Models>): DynamicModule {
    return {
      module: RealtimeModule,
      global: true,
      imports: [CqrsModule, ...contexts.imports],
      controllers: [RealtimeController],
      providers: [
        ...queueProviders(node),
        ...eventProviders(node, contexts),
        stateProvider(contexts),
        { provide: DescribedContexts, useValue: contexts.described },
        contexts.models,
        ...contexts.providers,
        RegisterClientHandler,
        GetEventsHandler,
        AcknowledgeEventsHandler,
        DeleteQueueHandler,
      ],
      exports: [EventFeed, EphemeralEvents, EventQueues],
    };
  }
}

/** The queues, and what keeps them while the process does not run. */
function queueProviders({ stores, follower, clock, logger, processName }: RealtimeNode): Provider[] {
  const { log, queueStore: store } = stores;
  const earliest = (): Promise<number | null> => store.leastSettled();
  return [
    { provide: EventQueues, useFactory: () => new EventQueues(presentOwners(follower)) },
    Delivery,
    { provide: PastDirectories, useValue: new PastDirectories({ log, follower, earliest }) },
    {
      provide: QueuePersistence,
      useFactory: (queues: EventQueues, past: PastDirectories) =>
        new QueuePersistence({ store, queues, past, clock, logger, processName }),
      inject: [EventQueues, PastDirectories],
    },
  ];
}

/** What puts events into the queues. */
function eventProviders<Models>(node: RealtimeNode, contexts: ContextsForClients<Models>): Provider[] {
  const { stores, follower, positions, clock, logger, processName } = node;
  const { log, queueStore: store } = stores;
  const { mappers } = contexts;
  return [
    {
      provide: EventFeed,
      useFactory: (
        ...[models, persistence, delivery, failures]: [Models, QueuePersistence, Delivery, Metrics]
      ) => {
        const appended = (events: readonly PersistedEvent[]): void => contexts.appended(models, events);
        const delivering = {
          mappers,
          models,
          appended,
          queues: delivery.queues,
          delivery,
          persistence,
          failures,
        };
        const feed = new EventFeed({ log, follower, positions, clock, logger, ...delivering });
        persistence.follow(feed);
        return feed;
      },
      inject: [contexts.models, QueuePersistence, Delivery, Metrics],
    },
    {
      provide: QueueTakeover,
      useFactory: (feed: EventFeed, persistence: QueuePersistence, past: PastDirectories) => {
        const { queues } = feed;
        const restoring = { log, feed, mappers, past, queues, store, persistence };
        return new QueueTakeover({ ...restoring, clock, logger, processName });
      },
      inject: [EventFeed, QueuePersistence, PastDirectories],
    },
    {
      provide: EphemeralEvents,
      useFactory: (feed: EventFeed, delivery: Delivery) => new EphemeralEvents({ feed, delivery, logger }),
      inject: [EventFeed, Delivery],
    },
  ];
}

function stateProvider<Models>({
  models: provided,
  initialState,
  laterState,
}: ContextsForClients<Models>): Provider {
  return {
    provide: StateReader,
    useFactory: (models: Models, queries: QueryBus, readers: Readers) =>
      new StateReader({ models, queries, readers, initialState, laterState }),
    inject: [provided, QueryBus, Readers],
  };
}
