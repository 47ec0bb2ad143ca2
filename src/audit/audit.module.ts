import { Module, type DynamicModule } from '@nestjs/common';
import { AuditAccessController } from './audit-access.controller.js';
import { AudienceController } from './audience.controller.js';
import { AuditController } from './audit.controller.js';
import { AuditedNamesController } from './audited-names.controller.js';
import { FollowSessions } from './commands/follow-sessions.js';
import { AuditAccess, UnrecordedAuditAccess } from './commands/audit-access.js';
import { RecordOwnDataExportHandler } from './own-data/commands/own-data.js';
import { NotifyOwnersOfAuditors } from './reactors/notify-owners-of-auditors.js';
import { Cases } from './cases/cases.js';
import { CaseTasksController } from './cases/case-tasks.controller.js';
import { CasesController } from './cases/cases.controller.js';
import { CaseTasks } from './cases/tasks/case-tasks.js';
import { MessagesModule } from '../contexts/messages/messages.module.js';
import { QueryDeadline } from '../reader-threads/query-deadline.js';
import { EventTypesController } from './event-types.controller.js';
import { failure } from '../kernel/errors.js';
import { ConversationController } from './past/conversation/conversation.controller.js';
import { PastPermissions } from './past/past-permissions.js';
import { CompareConversationHandler } from './past/conversation/queries/compare-conversation.js';
import { GetConversationChangesHandler } from './past/conversation/queries/get-conversation-changes.js';
import { PastSources } from './past/past-sources.js';
import { GetPastConversationHandler } from './past/conversation/queries/get-past-conversation.js';
import { AuditIndex, DiscardedEvents } from './log-index/audit-index.js';
import { GetAudienceHandler } from './queries/get-audience.js';
import { GetLogPageHandler } from './queries/get-log-page.js';
import { GetMessageTimelineHandler } from './queries/get-message-timeline.js';
import { GetMessageViewsHandler } from './queries/get-message-views.js';
import { GetStoredEventHandler } from './queries/get-stored-event.js';
import { AttentionReader } from '../contexts/attention/attention-reader.js';
import { OwnDataController } from './own-data/own-data.controller.js';
import { OwnDataExports } from './own-data/own-data-exports.js';
import { OwnRecords } from './own-data/own-records.js';
import { ProofTasks } from './proofs/proof-tasks.js';
import { ProofsController } from './proofs/proofs.controller.js';
import { CheckProofBundleHandler, GetSealsHandler } from './queries/seals.js';
import { SystemClock } from '../runtime/system-clock.js';
import { KnownNames } from './queries/known-names.js';
import { NoReadModels, ReadModels } from './read-models.js';

/** Tasks for auditors that take long and run in threads. */
interface AuditThreads {
  /** Verifies the log and makes proofs. */
  readonly proofTasks: ProofTasks;
  /** Counts, searches and exports the messages that a case covers. */
  readonly caseTasks: CaseTasks;
  /** Makes the copies of a person's own data. */
  readonly ownData: OwnDataExports;
}

/** Options of the module. */
interface AuditModuleOptions {
  /** What operators do with read models; absent: this process operates none. */
  readonly operations?: ReadModels;
  /** Absent: this process shows the past, where no such tasks run. */
  readonly threads?: AuditThreads;
}

function refuseTask(): Promise<never> {
  return Promise.reject(failure('taskResultsNotInLog'));
}

const idle = { run: refuseTask, clock: new SystemClock(), folder: null };

const noThreads: AuditThreads = {
  proofTasks: new ProofTasks(refuseTask, idle.clock),
  caseTasks: new CaseTasks(idle),
  ownData: new OwnDataExports(idle),
};

/** The log for auditors. */
@Module({})
export class AuditModule {
  static register({ operations, threads = noThreads }: AuditModuleOptions): DynamicModule {
    const models = { provide: ReadModels, useValue: operations ?? new NoReadModels() };
    // Only a server that shows the past has no read models to operate, and nothing can be appended there.
    const access = operations === undefined ? UnrecordedAuditAccess : AuditAccess;
    const providers = [
      Cases,
      KnownNames,
      FollowSessions,
      AuditIndex,
      DiscardedEvents,
      QueryDeadline,
      GetLogPageHandler,
      GetStoredEventHandler,
      GetMessageTimelineHandler,
      GetMessageViewsHandler,
      GetAudienceHandler,
      PastPermissions,
      PastSources,
      GetSealsHandler,
      CheckProofBundleHandler,
      GetPastConversationHandler,
      GetConversationChangesHandler,
      CompareConversationHandler,
      NotifyOwnersOfAuditors,
      models,
      { provide: ProofTasks, useValue: threads.proofTasks },
      { provide: CaseTasks, useValue: threads.caseTasks },
      { provide: OwnDataExports, useValue: threads.ownData },
      AttentionReader,
      OwnRecords,
      RecordOwnDataExportHandler,
      { provide: AuditAccess, useClass: access },
    ];
    const controllers = [
      AuditController,
      AudienceController,
      AuditAccessController,
      AuditedNamesController,
      EventTypesController,
      ConversationController,
      CasesController,
      ProofsController,
      CaseTasksController,
      OwnDataController,
    ];
    return { module: AuditModule, imports: [MessagesModule], controllers, providers, exports: [Cases] };
  }
}
