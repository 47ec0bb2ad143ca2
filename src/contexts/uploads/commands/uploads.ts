import { Decisions } from '../../../http/decisions.js';
import { foldedUploads } from '../uploads.state.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { requestMetadata } from '../../../stores/event-store/command-metadata.js';
import { randomCommandId } from '../../../stores/event-store/event-id.js';
import { EncryptedFiles } from '../../../stores/file-store/encrypted-files.js';
import type { Caller } from '../../../http/caller.js';
import { failure, isRefusal } from '../../../kernel/errors.js';
import type { EventOf } from '../../../kernel/event.js';
import type { FileUploaded } from '../../../events/uploads.js';
import { UploadQuota } from '../upload-quota.js';
import { type IncomingUpload, decideUploadFile, decideDeleteUpload } from '../uploads.decide.js';

/** Records a stored file as an upload (`POST /user_uploads`). Returns the upload. */
export class UploadFile extends Command<EventOf<typeof FileUploaded>['data']> {
  constructor(
    readonly caller: Caller,
    readonly file: IncomingUpload,
    /** The same for every attempt to record the same file; by default a new one. */
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
    private readonly files: EncryptedFiles,
  ) {}

  /**
   * The file is deleted if the upload is refused. If the log cannot be reached, nobody knows whether the
   * event was appended: the file stays.
   */
  async execute({ caller, file, commandId }: UploadFile): Promise<EventOf<typeof FileUploaded>['data']> {
    try {
      const uploaded = await this.record(caller, file, commandId);
      // An earlier attempt recorded another stored copy of the file.
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
    // The command id comes with the request, which can be repeated.
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

/** Deletes one of the caller's own files (`DELETE /attachments/{attachment_id}`). */
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
