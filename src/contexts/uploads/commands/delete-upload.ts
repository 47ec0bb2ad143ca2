import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { requestMetadata } from '../../../stores/event-store/command-metadata.js';
import { FoldedStreams } from '../../../stores/event-store/folded-streams.js';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import type { EventOf } from '../../../kernel/event.js';
import { handle } from '../../../kernel/handle.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import type { UploadDeleted } from '../../../events/uploads.js';
import { deletionOf, uploadsFold, uploadsStream, type Uploads } from '../uploads.js';

/** Deletes a file of the caller's own (facts, section 5, DELETE attachments). */
export class DeleteUpload extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly uploadId: number,
  ) {
    super();
  }
}

/** @throws ApplicationError `invalidAttachment`, alike for another's and for none */
export function decideDeleteUpload(
  { known }: Uploads,
  { userId, uploadId }: { readonly userId: number; readonly uploadId: number },
): readonly EventOf<typeof UploadDeleted>[] {
  const upload = known.get(uploadId);
  if (upload?.uploaderId !== userId) throw failure('invalidAttachment');
  return [deletionOf(uploadId, upload)];
}

@CommandHandler(DeleteUpload)
export class DeleteUploadHandler implements ICommandHandler<DeleteUpload> {
  constructor(
    private readonly streams: FoldedStreams,
    private readonly clock: SystemClock,
  ) {}

  async execute({ caller: { userId, client }, uploadId }: DeleteUpload): Promise<void> {
    await handle(this.streams, {
      stream: uploadsStream,
      fold: uploadsFold,
      decide: (uploads) => decideDeleteUpload(uploads, { userId, uploadId }),
      metadata: requestMetadata({ userId, client }, this.clock.now()),
    });
  }
}
