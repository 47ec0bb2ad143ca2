import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { requestMetadata } from '../../../stores/event-store/command-metadata.js';
import { randomCommandId } from '../../../stores/event-store/event-id.js';
import { FoldedStreams } from '../../../stores/event-store/folded-streams.js';
import { SealedFiles, type StoredFile } from '../../../stores/file-store/sealed-files.js';
import type { Caller } from '../../../http/caller.js';
import { failure, isRefusal } from '../../../kernel/errors.js';
import type { EventOf } from '../../../kernel/event.js';
import { handle } from '../../../kernel/handle.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import type { FileUploaded } from '../../../events/uploads.js';
import { assertWithinQuota, UploadQuota } from '../upload-quota.js';
import { uploadsFold, uploadsStream, type Uploads } from '../uploads.js';

/** A file that came whole and is stored, but belongs to nobody yet. */
export interface IncomingUpload {
  /** As its uploader calls it. */
  readonly name: string;
  readonly contentType: string;
  readonly stored: StoredFile;
}

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

/**
 * Records who uploaded what; its id follows from where the event will stand.
 *
 * @throws ApplicationError those of {@link assertWithinQuota}
 */
export function decideUploadFile(
  uploads: Uploads,
  { name, contentType, stored }: IncomingUpload,
  { userId, quota }: { readonly userId: number; readonly quota: UploadQuota },
): readonly EventOf<typeof FileUploaded>[] {
  const { name: storageName, contentKey, size } = stored;
  assertWithinQuota(uploads, { uploaderId: userId, size }, quota);
  const uploadId = uploads.nextRevision + 1;
  const data = { uploadId, uploaderId: userId, storageName, contentKey, name, contentType, size };
  return [{ type: 'FileUploaded', data }];
}

@CommandHandler(UploadFile)
export class UploadFileHandler implements ICommandHandler<UploadFile> {
  constructor(
    private readonly streams: FoldedStreams,
    private readonly clock: SystemClock,
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
    const appended = await handle(this.streams, {
      stream: uploadsStream,
      fold: uploadsFold,
      decide: (uploads) => decideUploadFile(uploads, file, by),
      metadata: { ...requestMetadata(caller, this.clock.now()), commandId },
    });
    const [uploaded] = appended?.events ?? [];
    if (uploaded === undefined) throw failure('internalError');
    return uploaded.data;
  }
}
