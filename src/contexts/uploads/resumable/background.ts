import { Injectable } from '@nestjs/common';
import { RunsAsJob, RunsAsReactor, type Job } from '../../../../projections/engine/background-work.js';
import type { Reactor } from '../../../../projections/engine/reactor.js';
import { ResumableUploadAbandoned, ResumableUploadFinished } from '../../../events/resumable-uploads.js';
import type { Recorded } from '../../../kernel/event.js';
import { on } from '../../../kernel/event-handlers.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { serverMetadata } from '../../../stores/event-store/command-metadata.js';
import { randomCommandId } from '../../../stores/event-store/event-id.js';
import { Decisions } from '../../../http/decisions.js';
import { EncryptedFiles } from '../../../stores/file-store/encrypted-files.js';
import { decideAbandonResumable, expiredResumables } from './resumable-uploads.decide.js';
import { foldedResumableUploads } from './resumable-uploads.state.js';

/** Abandons uploads that received nothing for too long. */
@Injectable()
@RunsAsJob()
export class ExpireResumableUploads implements Job {
  readonly name = 'expire-resumable-uploads';
  readonly everyMilliseconds = 60_000;
  readonly perform = (): Promise<void> => this.expire();

  constructor(
    private readonly decisions: Decisions,
    private readonly clock: SystemClock,
  ) {}

  private async expire(): Promise<void> {
    const uploads = await this.decisions.load(foldedResumableUploads);
    for (const { id } of expiredResumables(uploads, this.clock.now())) {
      const metadata = serverMetadata(randomCommandId(), this.clock.now());
      await this.decisions.decideAs(metadata, foldedResumableUploads, (resumable) =>
        decideAbandonResumable(resumable, id, true),
      );
    }
  }
}

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
