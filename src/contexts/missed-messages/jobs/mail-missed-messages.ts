import { Injectable } from '@nestjs/common';
import type { Job } from '../../../../projections/engine/job.js';
import { RunsAsJob } from '../../../../projections/engine/background-work.js';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import { serverMetadata } from '../../../stores/event-store/command-metadata.js';
import { commandIdOf } from '../../../stores/event-store/event-id.js';
import { Decisions } from '../../../http/decisions.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { MissedReader } from '../missed-reader.js';
import { missedMailOf } from '../missed-messages.state.js';
import { decideSettling } from '../missed-messages.decide.js';

/** How many messages' times are looked at at once, and how many go into one e-mail. */
const atOnce = 100;

/**
 * Writes to people about what they have yet to read, all in one e-mail, once the first of it has waited for as long as they want.
 * What is due is looked up in the read model; what was settled before, their own stream knows.
 */
@Injectable()
@RunsAsJob()
export class MailMissedMessages implements Job {
  readonly name = 'mail-missed-messages';
  readonly everyMilliseconds = 1000;
  /** Nobody could read them where they lead. */
  readonly waitsWhileClosed = true;
  readonly perform = (): Promise<void> => this.mail();

  constructor(
    private readonly reader: MissedReader,
    private readonly decisions: Decisions,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  private async mail(): Promise<void> {
    const mails = await this.reader.mails();
    const due = await mails.find(
      { dueAt: { $lte: this.clock.now() } },
      { sort: { dueAt: 1 }, limit: atOnce },
    );
    for (const userId of new Set(due.map((missed) => missed.userId))) await this.mailTo(userId);
  }

  private async mailTo(userId: number): Promise<void> {
    const now = this.clock.now();
    const missed = await (
      await this.reader.mails()
    ).find({ userId }, { sort: { messageId: 1 }, limit: atOnce });
    const isActive = this.follower.current().user(userId)?.isActive === true;
    const ids = missed.map(({ messageId }) => messageId);
    const { unread, passedIds } = isActive
      ? await this.reader.lookAt(userId, missed, now)
      : { unread: [], passedIds: ids };
    const messageIds = unread.map(({ _id }) => _id);
    const looked = new Set([...messageIds, ...passedIds]);
    const settledIds = ids.filter((id) => looked.has(id));
    const metadata = serverMetadata(commandIdOf([this.name, String(userId), settledIds.join()]), now);
    await this.decisions.decideAs(metadata, missedMailOf(userId), (settled) =>
      decideSettling(settled, { userId, messageIds, settledIds }),
    );
  }
}
