import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { Configuration } from '../../config.js';
import type { Logger } from '../../http/monitoring/logger.js';
import { DeleteUploadHandler, UploadFileHandler } from './commands/uploads.js';
import { ExamineImages, ExpireResumableUploads } from './jobs.js';
import { ImageProcesses } from './images/image-processes.js';
import { Thumbnails } from './images/thumbnails.js';
import { ThumbnailsController } from './images/thumbnails.controller.js';
import { GetAttachmentsHandler, GetUploadQuotaHandler } from './queries/uploads.js';
import { IncomingFiles } from './incoming-files.js';
import { RemoveUploadParts } from './reactors.js';
import {
  AbandonResumableHandler,
  ExtendResumableHandler,
  StartResumableHandler,
  WholeFiles,
} from './commands/resumable-uploads.js';
import { ResumableUploadsController } from './resumable/resumable-uploads.controller.js';
import { TemporaryLinks, UploadedFiles } from './uploaded-files.js';
import { UploadQuota } from './upload-quota.js';
import { UploadedFilesController } from './uploaded-files.controller.js';
import { UploadsController } from './uploads.controller.js';

/** What this context needs from the process. */
interface UploadsNode {
  readonly configuration: Pick<Configuration, 'uploadQuota'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Files that people upload. */
@Module({})
export class UploadsModule {
  static register({ configuration: { uploadQuota }, logger }: UploadsNode): DynamicModule {
    const quota = new UploadQuota(uploadQuota.mebibytes, uploadQuota.mebibytesOfPerson);
    return {
      module: UploadsModule,
      imports: [CqrsModule],
      controllers: [
        UploadsController,
        UploadedFilesController,
        ThumbnailsController,
        ResumableUploadsController,
      ],
      providers: [
        { provide: UploadQuota, useValue: quota },
        IncomingFiles,
        TemporaryLinks,
        UploadedFiles,
        { provide: ImageProcesses, useFactory: () => new ImageProcesses({ logger }) },
        Thumbnails,
        ExamineImages,
        UploadFileHandler,
        StartResumableHandler,
        ExtendResumableHandler,
        AbandonResumableHandler,
        WholeFiles,
        ExpireResumableUploads,
        RemoveUploadParts,
        DeleteUploadHandler,
        GetAttachmentsHandler,
        GetUploadQuotaHandler,
      ],
    };
  }
}
