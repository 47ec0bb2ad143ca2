import { Injectable } from '@nestjs/common';
import type { Job } from '../../../../projections/engine/job.js';
import { RunsAsJob } from '../../../../projections/engine/background-work.js';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import { serverMetadata } from '../../../stores/event-store/command-metadata.js';
import { commandIdOf } from '../../../stores/event-store/event-id.js';
import { FoldedStreams } from '../../../stores/event-store/folded-streams.js';
import type { Fold } from '../../../kernel/decider.js';
import type { EventOf, RecordedEvent } from '../../../kernel/event.js';
import { handle } from '../../../kernel/handle.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import type { MissedMessagesMailed, MissedMessagesPassed } from '../../../events/missed-messages.js';
import { MissedReader } from '../missed-reader.js';

type Settling = EventOf<typeof MissedMessagesMailed> | EventOf<typeof MissedMessagesPassed>;

/** How many messages' times are looked at at once, and how many go into one letter. */
const atOnce = 100;

/** How many settled messages are remembered: the read model lags behind by fewer. */
const remembered = 1000;

/** Ids of the messages that somebody need not be written about any more, the latest. */
export type SettledMessages = readonly number[];

/** What a person need not be written about any more, by the stream of what they were written about. */
export const settledFold: Fold<SettledMessages, RecordedEvent<Settling>> = {
  snapshot: { name: 'settled-missed-messages', version: 1 },
  initial: [],
  evolve: (settled, { data }) => [...settled, ...data.settledIds].slice(-remembered),
};

/** The stream of what a person was written about. */
function missedMailStream(userId: number): string {
  return `missed-mail-${userId}`;
}

/**
 * Writes to people about what they have yet to read, all in one letter, once the first of it has waited for as long as they want.
 * What is due is looked up in the read model; what was settled before, their own stream knows.
 */
@Injectable()
@RunsAsJob()
export class MailMissedMessages implements Job {
  readonly name = 'mail-missed-messages';
  readonly everyMilliseconds = 1000;
  readonly perform = (): Promise<void> => this.mail();

  constructor(
    private readonly reader: MissedReader,
    private readonly streams: FoldedStreams,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  private async mail(): Promise<void> {
    // Nobody could read them where they lead.
    if (this.follower.current().isClosed) return;
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
    await handle(this.streams, {
      stream: missedMailStream(userId),
      fold: settledFold,
      decide: (settled) => decideSettling(settled, { userId, messageIds, settledIds }),
      metadata: serverMetadata(commandIdOf([this.name, String(userId), settledIds.join()]), now),
    });
  }
}

/** Nobody is written to twice about one message, however late the read model is. */
export function decideSettling(
  settled: SettledMessages,
  { userId, messageIds, settledIds }: EventOf<typeof MissedMessagesMailed>['data'],
): readonly Settling[] {
  const known = new Set(settled);
  const isNew = (id: number): boolean => !known.has(id);
  const newIds = settledIds.filter(isNew);
  if (newIds.length === 0) return [];
  const newUnread = messageIds.filter(isNew);
  return newUnread.length === 0
    ? [{ type: 'MissedMessagesPassed', data: { userId, settledIds: newIds } }]
    : [{ type: 'MissedMessagesMailed', data: { userId, messageIds: newUnread, settledIds: newIds } }];
}
