import { Injectable } from '@nestjs/common';
import { RunsAsJob } from '../../../../projections/engine/background-work.js';
import type { Job } from '../../../../projections/engine/job.js';
import { handle } from '../../../kernel/handle.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { serverMetadata } from '../../../stores/event-store/command-metadata.js';
import { commandIdOf } from '../../../stores/event-store/event-id.js';
import { FoldedStreams } from '../../../stores/event-store/folded-streams.js';
import { UploadReader } from '../upload-reader.js';
import { decideExamineImage, uploadsFold, uploadsStream } from '../uploads.js';
import type { UploadDocument } from '../read-model.js';
import { Thumbnails } from './thumbnails.js';

const name = 'examine-images';

/** How many images are looked into at a look. */
const atOnce = 4;

/** Looks into uploaded images, those of before this was done as well, and records what they are. */
@Injectable()
@RunsAsJob()
export class ExamineImages implements Job {
  readonly name = name;
  readonly everyMilliseconds = 250;
  readonly perform = async (): Promise<void> => {
    for (const upload of await this.uploads.unexamined(atOnce)) await this.examine(upload);
  };

  constructor(
    private readonly uploads: UploadReader,
    private readonly thumbnails: Thumbnails,
    private readonly streams: FoldedStreams,
    private readonly clock: SystemClock,
  ) {}

  private async examine(upload: UploadDocument): Promise<void> {
    const { state } = await this.streams.load({ stream: uploadsStream, fold: uploadsFold });
    if (state.known.get(upload._id)?.isExamined !== false) return;
    const image = await this.thumbnails.examine(upload);
    await handle(this.streams, {
      stream: uploadsStream,
      fold: uploadsFold,
      decide: (uploads) => decideExamineImage(uploads, { uploadId: upload._id, image }),
      metadata: serverMetadata(commandIdOf([name, String(upload._id)]), this.clock.now()),
    });
  }
}
