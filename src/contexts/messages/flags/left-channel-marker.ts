import { Injectable } from '@nestjs/common';
import type { UsersUnsubscribed } from '../../../events/subscriptions.js';
import type { SubscriptionPeriod } from '../../../access/records/subscription.js';
import { commandIdOf } from '../../../stores/event-store/event-id.js';
import { Decisions } from '../../../http/decisions.js';
import type { Recorded } from '../../../kernel/event.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import type { TimeSlice } from '../../../runtime/time-slice.js';
import { MessageReader } from '../message-reader.js';
import { noTexts } from '../narrow/compiled-narrow.js';
import { MAX_MESSAGE_ID, receivedSources } from '../narrow/sources.js';
import type { QuerySession } from '../query-session.js';
import { surroundingsOf } from './flag-decisions.js';
import { difference } from './id-ranges.js';
import { decideMarkLeftRead } from './flags.decide.js';
import { flagsOf, lastRevision, wasUnreadIn, type FlaggedMessage } from './flags.state.js';

/**
 * Up to this many messages may each become a range of their own: for them the surroundings are not looked up.
 */
const MAX_APART = 20;

/** How many unread messages one event marks as read. */
const PAGE_SIZE = 5000;

/** Marks as read what people had not read of a channel that they left, each on their own stream. */
@Injectable()
export class LeftChannelMarker {
  constructor(
    private readonly messages: MessageReader,
    private readonly decisions: Decisions,
    private readonly clock: SystemClock,
  ) {}

  /**
   * Does nothing where it was done before for the same event.
   *
   * @param slice the time slice shared by everyone who left the channel
   */
  async read(userId: number, event: Recorded<typeof UsersUnsubscribed>, slice: TimeSlice): Promise<void> {
    const { channelId } = event.data;
    for (let from = 1; ;) {
      if (slice.isOver) await slice.next();
      const session = await this.messages.open({ userId });
      const { directory } = session.context.snapshot;
      const periods = directory.subscription(channelId, userId)?.periods ?? [];
      const period = periods.find(({ leftAt }) => leftAt === event.revision);
      if (period === undefined) return;
      if (slice.isOver) await slice.next();
      const page = await unreadIn(session, { channelId, period, from });
      if (slice.isOver) await slice.next();
      if (page.length > 0) await this.mark(session, { event, period, page });
      if (page.length < PAGE_SIZE) return;
      from = page.at(-1)!._id + 1;
    }
  }

  private async mark(
    session: QuerySession,
    {
      event,
      period,
      page,
    }: {
      event: Recorded<typeof UsersUnsubscribed>;
      period: SubscriptionPeriod;
      page: readonly FlaggedMessage[];
    },
  ): Promise<void> {
    const { snapshot, user, placements } = session.context;
    const ids = page.map(({ _id }) => _id);
    const surroundings = ids.length > MAX_APART ? await surroundingsOf(session, ids) : null;
    const metadata = {
      ...event.metadata,
      commandId: commandIdOf(['read-left-channels', event.id, String(user.id), String(ids[0])]),
      causationId: event.id,
      at: this.clock.now(),
    };
    const seen = { snapshot, user, placements, messages: page, surroundings };
    await this.decisions.decideAs(metadata, flagsOf(user.id), (flags, nextRevision) =>
      decideMarkLeftRead(flags, period, { ...seen, revision: lastRevision(nextRevision) }),
    );
  }
}

/**
 * Ids of messages that were unread in a channel when a subscription to it ended, in rising order, at most
 * `limit`.
 */
function unreadIn(
  session: QuerySession,
  {
    channelId,
    period,
    from,
  }: { readonly channelId: number; readonly period: SubscriptionPeriod; readonly from: number },
): Promise<readonly FlaggedMessage[]> {
  const { context } = session;
  const window = { from, to: MAX_MESSAGE_ID };
  const narrow = {
    sources: receivedSources(context, channelId),
    conditions: [],
    indexed: [],
    listed: null,
    within: difference([{ from, through: MAX_MESSAGE_ID - 1 }], context.flags.read),
    tests: [(message: FlaggedMessage) => wasUnreadIn(context, message, period)],
    texts: noTexts,
  };
  return session.search.findPlaces(narrow, { window, order: 1, limit: PAGE_SIZE });
}
