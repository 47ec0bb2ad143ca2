import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { SettingsModule } from '../settings/settings.module.js';
import { ChangeStatusHandler } from './commands/statuses.js';
import { GetStatusHandler } from './queries/get-status.js';
import { StatusesController } from './statuses.controller.js';

/** What people say of what they are about. Others read it from the directory, which holds it in memory. */
@Module({
  imports: [CqrsModule, SettingsModule],
  controllers: [StatusesController],
  providers: [ChangeStatusHandler, GetStatusHandler],
})
export class StatusesModule {}
