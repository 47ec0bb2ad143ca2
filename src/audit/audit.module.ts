import { Module, type DynamicModule } from '@nestjs/common';
import type { ApplicationNode } from '../application-node.js';
import { AuditController } from './audit.controller.js';
import { AuditAccess } from './commands/note-audit.js';
import { NoReadModels, ReadModels } from './read-models.js';

/** The log for owners. */
@Module({})
export class AuditModule {
  static register({ operations }: ApplicationNode): DynamicModule {
    const models = { provide: ReadModels, useValue: operations ?? new NoReadModels() };
    return { module: AuditModule, controllers: [AuditController], providers: [AuditAccess, models] };
  }
}
