import { Injectable } from '@nestjs/common';
import { RunsAsReactor } from '../../../projections/engine/background-work.js';
import type { Reactor } from '../../../projections/engine/reactor.js';
import { ResumableUploadAbandoned, ResumableUploadFinished } from '../../events/resumable-uploads.js';
import type { Recorded } from '../../kernel/event.js';
import { on } from '../../kernel/event-handlers.js';
import { EncryptedFiles } from '../../stores/file-store/encrypted-files.js';

/** Removes the parts of finished and abandoned uploads. Repeating it has no effect. */
@Injectable()
@RunsAsReactor()
export class RemoveUploadParts implements Reactor {
  readonly name = 'remove-upload-parts';
  readonly on = on([ResumableUploadFinished, ResumableUploadAbandoned], (event) => this.remove(event));

  constructor(private readonly files: EncryptedFiles) {}

  private async remove({
    data: { partNames },
  }: Recorded<typeof ResumableUploadFinished | typeof ResumableUploadAbandoned>): Promise<void> {
    for (const name of partNames) await this.files.delete({ name });
  }
}
