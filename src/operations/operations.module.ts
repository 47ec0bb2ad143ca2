import { Module, type DynamicModule } from '@nestjs/common';
import type { Logger } from '../../projections/engine/logger.js';
import type { OperationEvent } from '../events/operations.js';
import type { Clock } from '../kernel/clock.js';
import { NO_CLIENT_EVENT, type Mappers } from '../realtime/mapper.js';
import { Decisions } from '../http/decisions.js';
import { OperationsController } from './http/operations.controller.js';
import { ModelCommands, type ModelCommandsOptions } from './model-commands.js';
import { OperationsRecord } from './operations-record.js';
import { Overview } from './overview/overview.js';
import { ProjectionOperations } from './projection-operations.js';
import { SnapshotList } from '../stores/event-store/snapshots/list-snapshots.js';

/** Clients get no events about what operators do: those are for auditors only. */
export const operationMappers: Mappers<OperationEvent> = {
  ModelOperationOrdered: NO_CLIENT_EVENT,
};

/** Options of the module. */
interface OperationsModuleOptions {
  readonly configuration: { readonly dataDirectory: string };
  readonly clock: Clock;
  readonly logger: Logger;
  /** Absent: there are no read models to operate on. */
  readonly operations?: ProjectionOperations;
  readonly threads?: { readonly verifyModel: ModelCommandsOptions['verify'] };
}

/** Operators' actions over HTTP. */
@Module({})
export class OperationsModule {
  static register(options: OperationsModuleOptions): DynamicModule {
    const { configuration, clock, logger, operations, threads } = options;
    if (operations === undefined || threads === undefined) return { module: OperationsModule };
    const snapshots = new SnapshotList(configuration.dataDirectory);
    const commands = (decisions: Decisions): ModelCommands =>
      new ModelCommands({
        operations,
        record: new OperationsRecord(decisions, clock),
        clock,
        logger,
        verify: threads.verifyModel,
        dropSnapshots: () => snapshots.drop(),
      });
    const providers = [
      Overview,
      { provide: ProjectionOperations, useValue: operations },
      { provide: SnapshotList, useValue: snapshots },
      { provide: ModelCommands, useFactory: commands, inject: [Decisions] },
    ];
    return { module: OperationsModule, controllers: [OperationsController], providers, exports: [Overview] };
  }
}
