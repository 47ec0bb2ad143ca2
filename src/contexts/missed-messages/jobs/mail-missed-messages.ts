import { Injectable } from '@nestjs/common';
import { RunsAsJob, type Job } from '../../../../projections/engine/background-work.js';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import { serverMetadata } from '../../../stores/event-store/command-metadata.js';
import { commandIdOf } from '../../../stores/event-store/event-id.js';
import { Decisions } from '../../../http/decisions.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { MissedReader } from '../missed-reader.js';
import { missedMailOf } from '../missed-messages.state.js';
import { decideHandled } from '../missed-messages.decide.js';

/** How many messages are looked up at once, and how many one e-mail may be about. */
const AT_ONCE = 100;

/**
 * Sends people one e-mail about all their unread messages, when the first of these has waited for as long as
 * their setting says. Due messages are looked up in the read model; which of them were handled before is
 * recorded on the person's own stream.
 */
@Injectable()
@RunsAsJob()
export class MailMissedMessages implements Job {
  readonly name = 'mail-missed-messages';
  readonly everyMilliseconds = 1000;
  /** While the organization is closed, nobody could open the links. */
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
      { sort: { dueAt: 1 }, limit: AT_ONCE },
    );
    for (const userId of new Set(due.map((missed) => missed.userId))) await this.mailTo(userId);
  }

  private async mailTo(userId: number): Promise<void> {
    const now = this.clock.now();
    const missed = await (
      await this.reader.mails()
    ).find({ userId }, { sort: { messageId: 1 }, limit: AT_ONCE });
    const isActive = this.follower.current().user(userId)?.isActive === true;
    const ids = missed.map(({ messageId }) => messageId);
    const { unread, passedIds } = isActive
      ? await this.reader.examine(userId, missed, now)
      : { unread: [], passedIds: ids };
    const messageIds = unread.map(({ _id }) => _id);
    const looked = new Set([...messageIds, ...passedIds]);
    const settledIds = ids.filter((id) => looked.has(id));
    const metadata = serverMetadata(commandIdOf([this.name, String(userId), settledIds.join()]), now);
    await this.decisions.decideAs(metadata, missedMailOf(userId), (settled) =>
      decideHandled(settled, { userId, messageIds, settledIds }),
    );
  }
}
