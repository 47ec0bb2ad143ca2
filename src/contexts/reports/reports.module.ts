import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MessagesModule } from '../messages/messages.module.js';
import { ReportMessageHandler } from './commands/reports.js';
import { ReportsController } from './reports.controller.js';
import { NotifyModerators } from './notify-moderators.js';

/** Messages that people report to moderators. */
@Module({
  imports: [CqrsModule, MessagesModule],
  controllers: [ReportsController],
  providers: [ReportMessageHandler, NotifyModerators],
})
export class ReportsModule {}
