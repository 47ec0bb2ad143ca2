import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MessagesModule } from '../messages/messages.module.js';
import { DeleteUploadHandler } from './commands/delete-upload.js';
import { UploadFileHandler } from './commands/upload-file.js';
import { GetAttachmentsHandler } from './queries/get-attachments.js';
import { RemoveDeletedFiles } from './reactors/remove-deleted-files.js';
import { TemporaryLinks } from './temporary-link.js';
import { UploadedFilesController } from './uploaded-files.controller.js';
import { UploadedFiles } from './uploaded-files.js';
import { UploadsController } from './uploads.controller.js';

/** Files that people upload. */
@Module({
  imports: [CqrsModule, MessagesModule],
  controllers: [UploadsController, UploadedFilesController],
  providers: [
    TemporaryLinks,
    UploadedFiles,
    RemoveDeletedFiles,
    UploadFileHandler,
    DeleteUploadHandler,
    GetAttachmentsHandler,
  ],
})
export class UploadsModule {}
