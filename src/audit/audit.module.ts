import { Module, type DynamicModule } from '@nestjs/common';
import { AuditController } from './audit.controller.js';
import { AuditAccess, UnrecordedAuditAccess } from './commands/note-audit.js';
import { TellOwnersOfAuditors } from './reactors/tell-owners-of-auditors.js';
import { MessagesModule } from '../contexts/messages/messages.module.js';
import { QueryDeadline } from '../reader-threads/query-deadline.js';
import { failure } from '../kernel/errors.js';
import { PastLooks } from './past/past-looks.js';
import { GetLogPageHandler } from './queries/get-log-page.js';
import { GetMessageLifeHandler } from './queries/get-message-life.js';
import { KnownNames } from './queries/known-names.js';
import { NoReadModels, ReadModels } from './read-models.js';

/** What the module is made with. */
export interface AuditModuleOptions {
  /** What operators do with the read models; absent: there is nothing to operate. */
  readonly operations?: ReadModels;
  /** Look into the past; absent: this is the past. */
  readonly pastLooks?: PastLooks;
}

function refuseLook(): Promise<never> {
  return Promise.reject(failure('looksNotInLog'));
}

/** The log for auditors. */
@Module({})
export class AuditModule {
  static register({ operations, pastLooks }: AuditModuleOptions): DynamicModule {
    const models = { provide: ReadModels, useValue: operations ?? new NoReadModels() };
    // Only the past has nothing to operate, and nothing can be appended to it.
    const access = operations === undefined ? UnrecordedAuditAccess : AuditAccess;
    const looks = { provide: PastLooks, useValue: pastLooks ?? new PastLooks(refuseLook) };
    const providers = [
      KnownNames,
      QueryDeadline,
      GetLogPageHandler,
      GetMessageLifeHandler,
      TellOwnersOfAuditors,
      models,
      looks,
      { provide: AuditAccess, useClass: access },
    ];
    return { module: AuditModule, imports: [MessagesModule], controllers: [AuditController], providers };
  }
}
