import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { ReportEvent } from '../../events/reports.js';
import { NO_CLIENT_EVENT, type Mappers } from '../../realtime/mapper.js';
import { MessagesModule } from '../messages/messages.module.js';
import { ReportMessageHandler } from './commands/reports.js';
import { NotifyModerators } from './reactors.js';
import { ReportsController } from './reports.controller.js';

/** Moderators get a message about a report; there is no client event. */
export const reportMappers: Mappers<ReportEvent> = {
  MessageReported: NO_CLIENT_EVENT,
};

/** Messages that people report to moderators. */
@Module({
  imports: [CqrsModule, MessagesModule],
  controllers: [ReportsController],
  providers: [ReportMessageHandler, NotifyModerators],
})
export class ReportsModule {}
