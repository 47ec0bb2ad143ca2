import { Injectable } from '@nestjs/common';
import type { UsersUnsubscribed } from '../../../events/subscriptions.js';
import type { SubscriptionPeriod } from '../../../access/records/subscription.js';
import { commandIdOf } from '../../../stores/event-store/event-id.js';
import { Decisions } from '../../../http/decisions.js';
import type { Recorded } from '../../../kernel/event.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { TimeSlice } from '../../../runtime/time-slice.js';
import { MessageReader } from '../message-reader.js';
import { noTexts } from '../narrow/compiled-narrow.js';
import { MAX_MESSAGE_ID, receivedSources } from '../narrow/sources.js';
import type { QuerySession } from '../query-session.js';
import { surroundingsOf } from './flag-decisions.js';
import { difference } from './id-ranges.js';
import { decideMarkLeftRead } from './flags.decide.js';
import {
  flagsOf,
  lastRevision,
  noFlags,
  wasUnreadIn,
  type FlaggedMessage,
  type FlagsOwner,
  type PersonalFlags,
} from './flags.state.js';
import { NewestInChannel } from './newest-in-channel.js';

/**
 * Up to this many messages may each become a range of their own: for them the surroundings are not looked up.
 */
const MAX_APART = 20;

/** How many unread messages one event marks as read. */
const PAGE_SIZE = 5000;

/** How many messages are compared with a person's flags before other requests may get a turn. */
const COMPARED_AT_ONCE = 2000;

/** How many people's streams are written to at once. */
const PEOPLE_AT_ONCE = 20;

/** What is known of a channel that people left, for all of them. */
interface LeftChannel extends Pick<FlagsOwner, 'snapshot' | 'placements'> {
  readonly event: Recorded<typeof UsersUnsubscribed>;
  readonly newest: NewestInChannel;
  readonly slice: TimeSlice;
}

/** Messages that one person had not read when they left. */
interface LeftUnread {
  readonly owner: Omit<FlagsOwner, 'flags'>;
  readonly period: SubscriptionPeriod;
  readonly messages: readonly FlaggedMessage[];
}

/** Marks as read what people had not read of a channel that they left, each on their own stream. */
@Injectable()
export class LeftChannelMarker {
  constructor(
    private readonly messages: MessageReader,
    private readonly decisions: Decisions,
    private readonly clock: SystemClock,
  ) {}

  /** Does nothing for those for whom it was done before for the same event. */
  async read(event: Recorded<typeof UsersUnsubscribed>): Promise<void> {
    const { channelId, userIds } = event.data;
    const newest = new NewestInChannel((id, limit) => this.messages.placesBelow(channelId, id, limit));
    const slice = new TimeSlice();
    for (let from = 0; from < userIds.length; from += PEOPLE_AT_ONCE) {
      if (slice.isOver) await slice.next();
      const people = userIds.slice(from, from + PEOPLE_AT_ONCE);
      const flags = await this.messages.flagsOfAll(people);
      const placements = await this.messages.placements();
      const left = { event, newest, slice, placements, snapshot: this.decisions.snapshot() };
      await Promise.all(people.map((id) => this.readOf(id, flags.get(id) ?? noFlags, left)));
    }
  }

  /** People without unread messages in the channel cost no query. */
  private async readOf(userId: number, flags: PersonalFlags, left: LeftChannel): Promise<void> {
    const { event, newest, slice, snapshot, placements } = left;
    const { channelId } = event.data;
    const user = snapshot.directory.user(userId);
    const period = periodEndedBy(event, userId, left);
    if (user === null || period === undefined) return;
    // Messages that were moved here may be older than the subscription.
    const from = placements.to(channelId).length === 0 ? period.after + 1 : 1;
    const found = await newest.within(difference([{ from, through: MAX_MESSAGE_ID - 1 }], flags.read));
    if (found === null) return this.search(userId, event, slice);
    const owner = { snapshot, user, placements };
    const unread: FlaggedMessage[] = [];
    for (let first = 0; first < found.length; first += COMPARED_AT_ONCE) {
      if (slice.isOver) await slice.next();
      const some = found.slice(first, first + COMPARED_AT_ONCE);
      unread.push(...some.filter((message) => wasUnreadIn({ ...owner, flags }, message, period)));
    }
    for (let first = 0; first < unread.length; first += PAGE_SIZE) {
      if (slice.isOver) await slice.next();
      await this.mark(event, { owner, period, messages: unread.slice(first, first + PAGE_SIZE) });
    }
  }

  /** Looks for a person's unread messages one page after another, for those that are too old to be shared. */
  private async search(
    userId: number,
    event: Recorded<typeof UsersUnsubscribed>,
    slice: TimeSlice,
  ): Promise<void> {
    const { channelId } = event.data;
    for (let from = 1; ;) {
      if (slice.isOver) await slice.next();
      const session = await this.messages.open({ userId });
      const { context } = session;
      const period = periodEndedBy(event, userId, context);
      if (period === undefined) return;
      if (slice.isOver) await slice.next();
      const messages = await unreadIn(session, { channelId, period, from });
      if (slice.isOver) await slice.next();
      if (messages.length > 0) await this.mark(event, { owner: context, period, messages });
      if (messages.length < PAGE_SIZE) return;
      from = messages.at(-1)!._id + 1;
    }
  }

  private async mark(
    event: Recorded<typeof UsersUnsubscribed>,
    { owner: { snapshot, user, placements }, period, messages }: LeftUnread,
  ): Promise<void> {
    const ids = messages.map(({ _id }) => _id);
    const isLong = ids.length > MAX_APART;
    const surroundings = isLong
      ? await surroundingsOf(await this.messages.open({ userId: user.id }), ids)
      : null;
    const metadata = {
      ...event.metadata,
      commandId: commandIdOf(['read-left-channels', event.id, String(user.id), String(ids[0])]),
      causationId: event.id,
      at: this.clock.now(),
    };
    const seen = { snapshot, user, placements, messages, surroundings };
    await this.decisions.record(metadata, flagsOf(user.id), (flags, nextRevision) =>
      decideMarkLeftRead(flags, period, { ...seen, revision: lastRevision(nextRevision) }),
    );
  }
}

/** A person's subscription that the event ended. */
function periodEndedBy(
  { data: { channelId }, revision }: Recorded<typeof UsersUnsubscribed>,
  userId: number,
  { snapshot: { directory } }: Pick<FlagsOwner, 'snapshot'>,
): SubscriptionPeriod | undefined {
  const periods = directory.subscription(channelId, userId)?.periods ?? [];
  return periods.find(({ leftAt }) => leftAt === revision);
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
