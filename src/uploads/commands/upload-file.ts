import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { requestMetadata } from '../../event-store/command-metadata.js';
import { FoldedStreams } from '../../event-store/folded-streams.js';
import type { StoredFile } from '../../file-store/sealed-files.js';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf } from '../../kernel/event.js';
import { handle } from '../../kernel/handle.js';
import { SystemClock } from '../../system-clock.js';
import type { FileUploaded } from '../events.js';
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
  ) {
    super();
  }
}

/** Records who uploaded what; its id follows from where the event will stand. */
export function decideUploadFile(
  { nextRevision }: Uploads,
  { name, contentType, stored }: IncomingUpload,
  { userId }: Pick<Caller, 'userId'>,
): readonly EventOf<typeof FileUploaded>[] {
  const { name: storageName, contentKey, size } = stored;
  const uploadId = nextRevision + 1;
  const data = { uploadId, uploaderId: userId, storageName, contentKey, name, contentType, size };
  return [{ type: 'FileUploaded', data }];
}

@CommandHandler(UploadFile)
export class UploadFileHandler implements ICommandHandler<UploadFile> {
  constructor(
    private readonly streams: FoldedStreams,
    private readonly clock: SystemClock,
  ) {}

  /** When the log cannot be reached, nobody knows what became of the append: the stored bytes stay. */
  async execute({ caller, file }: UploadFile): Promise<EventOf<typeof FileUploaded>['data']> {
    const appended = await handle(this.streams, {
      stream: uploadsStream,
      fold: uploadsFold,
      decide: (uploads) => decideUploadFile(uploads, file, caller),
      metadata: requestMetadata(caller, this.clock.now()),
    });
    const [uploaded] = appended?.events ?? [];
    if (uploaded === undefined) throw failure('internalError');
    return uploaded.data;
  }
}
