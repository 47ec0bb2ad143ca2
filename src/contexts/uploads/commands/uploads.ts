import { Decisions } from '../../../http/decisions.js';
import { foldedUploads } from '../uploads.state.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SealedFiles } from '../../../stores/file-store/sealed-files.js';
import type { Caller } from '../../../http/caller.js';
import { failure, isRefusal } from '../../../kernel/errors.js';
import type { EventOf } from '../../../kernel/event.js';
import type { FileUploaded } from '../../../events/uploads.js';
import { UploadQuota } from '../upload-quota.js';
import { type IncomingUpload, decideUploadFile, decideDeleteUpload } from '../uploads.decide.js';

/** Takes a stored file as an upload (facts, section 5, user_uploads). Answers the upload. */
export class UploadFile extends Command<EventOf<typeof FileUploaded>['data']> {
  constructor(
    readonly caller: Caller,
    readonly file: IncomingUpload,
  ) {
    super();
  }
}

@CommandHandler(UploadFile)
export class UploadFileHandler implements ICommandHandler<UploadFile> {
  constructor(
    private readonly decisions: Decisions,
    private readonly quota: UploadQuota,
    private readonly files: SealedFiles,
  ) {}

  /**
   * A refused file is gone again. When the log cannot be reached, nobody knows what became of the append: the stored bytes stay.
   */
  async execute({ caller, file }: UploadFile): Promise<EventOf<typeof FileUploaded>['data']> {
    try {
      return await this.record(caller, file);
    } catch (error) {
      if (isRefusal(error)) await this.files.delete(file.stored);
      throw error;
    }
  }

  private async record(caller: Caller, file: IncomingUpload): Promise<EventOf<typeof FileUploaded>['data']> {
    const by = { userId: caller.userId, quota: this.quota };
    const {
      events: [uploaded],
    } = await this.decisions.decide(caller, foldedUploads, (uploads) => decideUploadFile(uploads, file, by));
    if (uploaded === undefined) throw failure('internalError');
    return uploaded.data;
  }
}

/** Deletes a file of the caller's own (facts, section 5, DELETE attachments). */
export class DeleteUpload extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly uploadId: number,
  ) {
    super();
  }
}

@CommandHandler(DeleteUpload)
export class DeleteUploadHandler implements ICommandHandler<DeleteUpload> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, uploadId }: DeleteUpload): Promise<void> {
    const { userId } = caller;
    await this.decisions.decide(caller, foldedUploads, (uploads) =>
      decideDeleteUpload(uploads, { userId, uploadId }),
    );
  }
}
