import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import {
  ChangeProfileFieldHandler,
  CreateProfileFieldHandler,
  DeleteProfileFieldHandler,
  ReorderProfileFieldsHandler,
} from './commands/profile-fields.js';
import { ProfileFieldsController } from './profile-fields.controller.js';
import { GetProfileFieldsHandler } from './queries/profile-fields.js';

/** The organization's profile fields. Their values belong to the users context. */
@Module({
  imports: [CqrsModule],
  controllers: [ProfileFieldsController],
  providers: [
    CreateProfileFieldHandler,
    ChangeProfileFieldHandler,
    ReorderProfileFieldsHandler,
    DeleteProfileFieldHandler,
    GetProfileFieldsHandler,
  ],
})
export class ProfilesModule {}
