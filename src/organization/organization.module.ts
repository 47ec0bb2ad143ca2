import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { UpdateOrganizationHandler } from './commands/update-organization.js';
import { OrganizationController } from './organization.controller.js';
import { OrganizationStream } from './organization-stream.js';
import { GetServerSettingsHandler } from './queries/get-server-settings.js';

/** The organization as a whole: its settings and permissions, and what its server tells of itself. */
@Module({
  imports: [CqrsModule],
  controllers: [OrganizationController],
  providers: [OrganizationStream, UpdateOrganizationHandler, GetServerSettingsHandler],
})
export class OrganizationModule {}
