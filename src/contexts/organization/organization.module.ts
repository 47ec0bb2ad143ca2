import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AddCodePlaygroundHandler, RemoveCodePlaygroundHandler } from './commands/code-playgrounds.js';
import { AllowDomainHandler, ChangeDomainHandler, RemoveDomainHandler } from './commands/domains.js';
import { Descriptions } from '../channels/channel-listing.js';
import {
  DeactivateOrganizationHandler,
  UpdateOrganizationHandler,
  ChangePictureHandler,
} from './commands/organization.js';
import { CodePlaygroundsController } from './code-playgrounds.controller.js';
import { DomainsController } from './domains.controller.js';
import { ChannelGroupsController } from './channel-groups.controller.js';
import { ChangeChannelGroupHandler, CreateChannelGroupHandler } from './commands/channel-groups.js';
import { PicturesController } from './pictures.controller.js';
import { ClearChannelSettings, RemoveReplacedPictures } from './reactors.js';
import { OrganizationController } from './organization.controller.js';
import { GetDomainsHandler, GetServerSettingsHandler } from './queries/organization.js';

/** The organization: its settings and permissions, and the server's public description. */
@Module({
  imports: [CqrsModule],
  controllers: [
    OrganizationController,
    DomainsController,
    CodePlaygroundsController,
    PicturesController,
    ChannelGroupsController,
  ],
  providers: [
    ClearChannelSettings,
    UpdateOrganizationHandler,
    DeactivateOrganizationHandler,
    AllowDomainHandler,
    ChangeDomainHandler,
    RemoveDomainHandler,
    AddCodePlaygroundHandler,
    RemoveCodePlaygroundHandler,
    ChangePictureHandler,
    CreateChannelGroupHandler,
    ChangeChannelGroupHandler,
    RemoveReplacedPictures,
    GetDomainsHandler,
    GetServerSettingsHandler,
    Descriptions,
  ],
})
export class OrganizationModule {}
