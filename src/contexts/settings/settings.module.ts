import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AccountLinksModule } from '../account-links/account-links.module.js';
import {
  AssignSettingsHandler,
  ChangeSettingDefaultsHandler,
  ChangeSettingsHandler,
} from './commands/settings.js';
import { GetSettingDefaultsHandler, GetSettingsHandler } from './queries/settings.js';
import { SettingsController } from './settings.controller.js';

/** Settings of people. Other contexts read them from the directory, in memory. */
@Module({
  imports: [CqrsModule, AccountLinksModule],
  controllers: [SettingsController],
  providers: [
    ChangeSettingsHandler,
    AssignSettingsHandler,
    ChangeSettingDefaultsHandler,
    GetSettingsHandler,
    GetSettingDefaultsHandler,
  ],
})
export class SettingsModule {}
