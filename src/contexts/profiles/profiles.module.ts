import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ChangeOwnProfileHandler } from './commands/change-own-profile.js';
import {
  ChangeProfileFieldHandler,
  CreateProfileFieldHandler,
  DeleteProfileFieldHandler,
  ReorderProfileFieldsHandler,
} from './commands/profile-fields.js';
import { OwnProfileController } from './own-profile.controller.js';
import { ProfileFieldsController } from './profile-fields.controller.js';
import { GetProfileFieldsHandler } from './queries/get-profile-fields.js';

/** The fields that the organization's profiles have, and what people say in them. */
@Module({
  imports: [CqrsModule],
  controllers: [ProfileFieldsController, OwnProfileController],
  providers: [
    CreateProfileFieldHandler,
    ChangeProfileFieldHandler,
    ReorderProfileFieldsHandler,
    DeleteProfileFieldHandler,
    ChangeOwnProfileHandler,
    GetProfileFieldsHandler,
  ],
})
export class ProfilesModule {}
