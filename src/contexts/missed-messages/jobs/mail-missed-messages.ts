import { Injectable } from '@nestjs/common';
import { RunsAsJob, type Job } from '../../../../projections/engine/background-work.js';
import { DueRounds, type DuePage } from '../../../../projections/engine/due-rounds.js';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import { serverMetadata } from '../../../stores/event-store/command-metadata.js';
import { commandIdOf } from '../../../stores/event-store/event-id.js';
import { Decisions } from '../../../http/decisions.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { MissedReader } from '../missed-reader.js';
import { missedMailOf } from '../missed-messages.state.js';
import { decideHandled } from '../missed-messages.decide.js';
import type { MissedMailDocument } from '../read-model.js';

/** How many messages one e-mail may be about. */
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
  readonly pausesWhileDeactivated = true;
  readonly perform = (): Promise<void> => this.rounds.run();

  /** One e-mail is about all messages that are due for a person. */
  private readonly rounds = new DueRounds<Pick<MissedMailDocument, 'userId'>>({
    find: (page) => this.find(page),
    keyOf: ({ userId }) => String(userId),
    ownerOf: ({ userId }) => userId,
    perform: ({ userId }) => this.mailTo(userId),
  });

  constructor(
    private readonly reader: MissedReader,
    private readonly decisions: Decisions,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  private async find({ skip, limit }: DuePage): Promise<readonly Pick<MissedMailDocument, 'userId'>[]> {
    const mails = await this.reader.mails();
    const options = { sort: { dueAt: 1 }, projection: { userId: 1 }, skip, limit } as const;
    return mails.find({ dueAt: { $lte: this.clock.now() } }, options);
  }

  /** Returns how many messages need no e-mail any more. */
  private async mailTo(userId: number): Promise<number> {
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
    await this.decisions.record(metadata, missedMailOf(userId), (settled) =>
      decideHandled(settled, { userId, messageIds, settledIds }),
    );
    return settledIds.length;
  }
}
