import { Injectable } from '@nestjs/common';
import { RunsAsJob, type Job } from '../../../projections/engine/background-work.js';
import { DueRounds } from '../../../projections/engine/due-rounds.js';
import { ownersIn } from '../../access/account-owners.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { serverMetadata } from '../../stores/event-store/command-metadata.js';
import { commandIdOf, randomCommandId } from '../../stores/event-store/event-id.js';
import { Decisions } from '../../http/decisions.js';
import { UploadReader } from './upload-reader.js';
import { decideExamineImage } from './uploads.decide.js';
import { foldedUploads } from './uploads.state.js';
import type { UploadDocument } from './read-model.js';
import { decideAbandonResumable, expiredResumables } from './resumable/resumable-uploads.decide.js';
import { foldedResumableUploads } from './resumable/resumable-uploads.state.js';
import { Thumbnails } from './images/thumbnails.js';

const NAME = 'examine-images';

/** How many images a round examines: few, so that the images of somebody else soon have their turn. */
const ITEMS_OF_ROUND = 8;

/** Examines uploaded images, older ones included, and records what they are. Those who upload them take turns. */
@Injectable()
@RunsAsJob()
export class ExamineImages implements Job {
  readonly name = NAME;
  readonly everyMilliseconds = 250;
  readonly perform = (): Promise<void> => this.rounds.run();

  private readonly rounds = new DueRounds<Pick<UploadDocument, '_id' | 'uploaderId'>>({
    find: ({ last, limit }) => this.uploads.unexamined(last?._id ?? 0, limit),
    keyOf: ({ _id }) => String(_id),
    ownerOf: ({ uploaderId }) => ownersIn(this.decisions.snapshot().directory)(uploaderId),
    perform: ({ _id }) => this.examine(_id),
    itemsOfRound: ITEMS_OF_ROUND,
    // Images are decoded one after another, and each that waits is in memory as a whole.
    atOnce: 1,
  });

  constructor(
    private readonly uploads: UploadReader,
    private readonly thumbnails: Thumbnails,
    private readonly decisions: Decisions,
    private readonly clock: SystemClock,
  ) {}

  private async examine(uploadId: number): Promise<void> {
    const { known } = await this.decisions.load(foldedUploads);
    const [upload] = await this.uploads.byIds([uploadId]);
    if (upload === undefined || known.get(uploadId)?.isExamined !== false) return;
    const image = await this.thumbnails.examine(upload);
    const metadata = serverMetadata(commandIdOf([NAME, String(uploadId)]), this.clock.now());
    await this.decisions.record(metadata, foldedUploads, (uploads) =>
      decideExamineImage(uploads, { uploadId, image }),
    );
  }
}

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
      await this.decisions.record(metadata, foldedResumableUploads, (resumable) =>
        decideAbandonResumable(resumable, id, true),
      );
    }
  }
}
