import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ChangeDraftHandler } from './commands/change-draft.js';
import { DeleteDraftHandler } from './commands/delete-draft.js';
import { SaveDraftsHandler } from './commands/save-drafts.js';
import { DraftsController } from './drafts.controller.js';
import { PersonalChanges } from './personal-changes.js';
import { PersonalReader } from './personal-reader.js';
import { GetDraftsHandler } from './queries/get-drafts.js';

const handlers = [SaveDraftsHandler, ChangeDraftHandler, DeleteDraftHandler, GetDraftsHandler];

/** What concerns one person alone. */
@Module({
  imports: [CqrsModule],
  controllers: [DraftsController],
  providers: [PersonalChanges, PersonalReader, ...handlers],
})
export class PersonalModule {}
