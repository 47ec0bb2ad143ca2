import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { SettingsModule } from '../settings/settings.module.js';
import { ChangeStatusHandler, ChangeStatusOfHandler } from './commands/statuses.js';
import { GetStatusHandler } from './queries/status.js';
import { StatusesController } from './statuses.controller.js';

/** Statuses. Other contexts read them from the directory, in memory. */
@Module({
  imports: [CqrsModule, SettingsModule],
  controllers: [StatusesController],
  providers: [ChangeStatusHandler, ChangeStatusOfHandler, GetStatusHandler],
})
export class StatusesModule {}
