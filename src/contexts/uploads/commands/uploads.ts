import { Decisions } from '../../../http/decisions.js';
import { foldedUploads } from '../uploads.state.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { requestMetadata } from '../../../stores/event-store/command-metadata.js';
import { randomCommandId } from '../../../stores/event-store/event-id.js';
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
    /** The same whenever the same file is taken again; absent: it is not. */
    readonly commandId = randomCommandId(),
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
  async execute({ caller, file, commandId }: UploadFile): Promise<EventOf<typeof FileUploaded>['data']> {
    try {
      const uploaded = await this.record(caller, file, commandId);
      // It was taken before, with other bytes of the same content.
      if (uploaded.storageName !== file.stored.name) await this.files.delete(file.stored);
      return uploaded;
    } catch (error) {
      if (isRefusal(error)) await this.files.delete(file.stored);
      throw error;
    }
  }

  private async record(
    caller: Caller,
    file: IncomingUpload,
    commandId: string,
  ): Promise<EventOf<typeof FileUploaded>['data']> {
    const by = { userId: caller.userId, quota: this.quota };
    const { now } = this.decisions.actor(caller).snapshot;
    const metadata = { ...requestMetadata(caller, now), commandId };
    const {
      events: [uploaded],
    } = await this.decisions.decideAs(metadata, foldedUploads, (uploads) =>
      decideUploadFile(uploads, file, by),
    );
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
