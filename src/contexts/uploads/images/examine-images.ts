import { Injectable } from '@nestjs/common';
import { RunsAsJob, type Job } from '../../../../projections/engine/background-work.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { serverMetadata } from '../../../stores/event-store/command-metadata.js';
import { commandIdOf } from '../../../stores/event-store/event-id.js';
import { Decisions } from '../../../http/decisions.js';
import { UploadReader } from '../upload-reader.js';
import { decideExamineImage } from '../uploads.decide.js';
import { foldedUploads } from '../uploads.state.js';
import type { UploadDocument } from '../read-model.js';
import { Thumbnails } from './thumbnails.js';

const NAME = 'examine-images';

/** How many images one run examines. */
const AT_ONCE = 4;

/** Examines uploaded images, older ones included, and records what they are. */
@Injectable()
@RunsAsJob()
export class ExamineImages implements Job {
  readonly name = NAME;
  readonly everyMilliseconds = 250;
  readonly perform = async (): Promise<void> => {
    for (const upload of await this.uploads.unexamined(AT_ONCE)) await this.examine(upload);
  };

  constructor(
    private readonly uploads: UploadReader,
    private readonly thumbnails: Thumbnails,
    private readonly decisions: Decisions,
    private readonly clock: SystemClock,
  ) {}

  private async examine(upload: UploadDocument): Promise<void> {
    const { known } = await this.decisions.load(foldedUploads);
    if (known.get(upload._id)?.isExamined !== false) return;
    const image = await this.thumbnails.examine(upload);
    const metadata = serverMetadata(commandIdOf([NAME, String(upload._id)]), this.clock.now());
    await this.decisions.decideAs(metadata, foldedUploads, (uploads) =>
      decideExamineImage(uploads, { uploadId: upload._id, image }),
    );
  }
}
