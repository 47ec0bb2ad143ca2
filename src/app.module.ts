import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { CqrsModule, QueryBus } from '@nestjs/cqrs';
import { ModelPositions } from '../projections/engine/model-positions.js';
import { contexts } from './node/contexts.js';
import { contextsForClients } from './node/contexts-for-clients.js';
import { readerQuery } from './node/reader-queries.js';
import type { ApplicationNode } from './node/application-node.js';
import { DirectoryFollower } from './access/directory-follower.js';
import { EventLog } from './stores/event-store/event-log.js';
import { FoldedStreams } from './stores/event-store/folded-streams.js';
import { ConsistentLog } from './http/consistency.js';
import { Decisions } from './http/decisions.js';
import { EncryptedFiles } from './stores/file-store/encrypted-files.js';
import { HttpModule } from './http/http.module.js';
import { Vault } from './stores/key-store/vault.js';
import { RealtimeModule } from './realtime/realtime.module.js';
import { presentOwners } from './access/account-owners.js';
import { Readers, InlineReaders, ThreadedReaders } from './reader-threads/readers.js';
import { ServingModels } from './stores/read-store/serving-models.js';
import { SignalsModule } from './realtime/signals/signals.module.js';
import { SystemClock } from './runtime/system-clock.js';

/** What all contexts depend on: the log, the read models, the directory and the clock. */
@Module({})
class FoundationModule {
  static register(node: ApplicationNode): DynamicModule {
    const { log } = node.stores;
    const { snapshots } = node;
    const streams = new FoldedStreams(log, {
      admit: (events, metadata) => node.log.admit(events, metadata),
      ...(snapshots && { snapshots }),
    });
    const providers: Provider[] = [
      { provide: SystemClock, useValue: node.clock },
      { provide: EventLog, useValue: log },
      { provide: ConsistentLog, useValue: node.log },
      { provide: FoldedStreams, useValue: streams },
      { provide: DirectoryFollower, useValue: node.follower },
      Decisions,
      { provide: ModelPositions, useValue: node.positions },
      { provide: ServingModels, useValue: node.models },
      { provide: Vault, useValue: node.stores.vault },
      { provide: EncryptedFiles, useValue: node.stores.files },
      {
        provide: Readers,
        useFactory: (queries: QueryBus) =>
          node.threads === undefined
            ? new InlineReaders(queries, readerQuery)
            : new ThreadedReaders(node.threads.readers, readerQuery, presentOwners(node.follower)),
        inject: [QueryBus],
      },
    ];
    return { module: FoundationModule, global: true, providers, exports: providers };
  }
}

/** The whole application. */
@Module({})
export class AppModule {
  /** @param providers what runs the application, which may inject what the contexts export */
  static register(node: ApplicationNode, providers: Provider[] = []): DynamicModule {
    return {
      module: AppModule,
      providers,
      imports: [
        CqrsModule.forRoot(),
        DiscoveryModule,
        HttpModule.register(node.configuration, node.clock, {
          logger: node.logger,
          ownerOf: presentOwners(node.follower),
        }),
        FoundationModule.register(node),
        ...contexts.flatMap(({ module }) => module?.(node) ?? []),
        SignalsModule.register(node),
        RealtimeModule.register(node, contextsForClients),
      ],
    };
  }
}
