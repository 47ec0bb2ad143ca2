import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import {
  ChangeProfileFieldHandler,
  CreateProfileFieldHandler,
  DeleteProfileFieldHandler,
  ReorderProfileFieldsHandler,
} from './commands/profile-fields.js';
import { ProfileFieldsController } from './profile-fields.controller.js';
import { GetProfileFieldsHandler } from './queries/get-profile-fields.js';

/** The fields that the organization's profiles have. What people say in them is of the context of people. */
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
