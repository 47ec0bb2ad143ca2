import { describe, expect, it, jest } from '@jest/globals';
import type { DirectoryFollower } from '../../src/access/directory-follower.js';
import { LeftChannelMarker } from '../../src/contexts/messages/flags/left-channel-marker.js';
import { NewestInChannel } from '../../src/contexts/messages/flags/newest-in-channel.js';
import { flagsOf, noFlags, type FlaggedMessage } from '../../src/contexts/messages/flags/flags.state.js';
import { idsIn, rangesOf } from '../../src/contexts/messages/flags/id-ranges.js';
import type { MessageReader } from '../../src/contexts/messages/message-reader.js';
import { Placements } from '../../src/contexts/messages/placements.js';
import type { UsersUnsubscribed } from '../../src/events/subscriptions.js';
import { Decisions } from '../../src/http/decisions.js';
import type { Recorded } from '../../src/kernel/event.js';
import { SystemClock } from '../../src/runtime/system-clock.js';
import { TimeSlice } from '../../src/runtime/time-slice.js';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import { createChannel } from '../support/channels.js';
import { TestOrganization } from '../support/organization.js';
import { standIn } from '../support/stand-in.js';
import { openTemporaryStores } from '../support/temporary-stores.js';
import { waitForNobody } from '../support/decisions-over.js';

function message(_id: number, channelId = 1): FlaggedMessage {
  return {
    _id,
    channelId,
    senderId: 0,
    readBySender: false,
    readOnArrival: null,
    mutedByIds: [],
    givenToIds: [],
    arrival: 0,
  };
}

/** Reads the messages with ids up to `last`, and counts the reads. */
function channelOf(last: number): {
  reads: number;
  below(id: number, limit: number): Promise<FlaggedMessage[]>;
} {
  return {
    reads: 0,
    below(id, limit) {
      this.reads += 1;
      const newest = Math.min(last, id - 1);
      const count = Math.min(limit, newest);
      return Promise.resolve(Array.from({ length: count }, (_, index) => message(newest - index)));
    },
  };
}

describe('the newest messages of a channel', () => {
  it('are read once for all, as far back as somebody asks', async () => {
    const channel = channelOf(2500);
    const newest = new NewestInChannel((id, limit) => channel.below(id, limit));
    const within = async (from: number, through: number): Promise<number[] | undefined> =>
      (await newest.within([{ from, through }]))?.map(({ _id }) => _id);
    expect(await newest.within([])).toEqual([]);
    expect(channel.reads).toBe(0);
    expect(await within(2499, 9000)).toEqual([2499, 2500]);
    expect(await Promise.all([within(1501, 1502), within(2600, 9000)])).toEqual([[1501, 1502], []]);
    expect(channel.reads).toBe(1);
    expect(await Promise.all([within(1, 2), within(1000, 1001)])).toEqual([
      [1, 2],
      [1000, 1001],
    ]);
    expect(channel.reads).toBe(3);
  });

  it('are not all kept', async () => {
    const channel = channelOf(60_000);
    const newest = new NewestInChannel((id, limit) => channel.below(id, limit));
    expect(await newest.within([{ from: 1, through: 2 }])).toBeNull();
    expect(channel.reads).toBe(50);
  });
});

describe('people who leave a channel', () => {
  it('need one query for its messages together, and those who read everything no event', async () => {
    const organization = new TestOrganization();
    const [ada, bo, cy] = [organization.register(), organization.register(), organization.register()];
    const channelId = createChannel(organization, []);
    const stream = `channel-${channelId}`;
    const userIds = [ada, bo, cy];
    const joining = { channelId, color: null, notify: false, continuation: [] };
    organization.log.append(stream, [
      { type: 'UsersSubscribed', data: { ...joining, userIds: [ada, bo], afterMessageId: 2 } },
      { type: 'UsersSubscribed', data: { ...joining, userIds: [cy], afterMessageId: 5 } },
      { type: 'UsersUnsubscribed', data: { channelId, userIds, throughMessageId: 6, continuation: [] } },
    ]);
    const left = standIn<Recorded<typeof UsersUnsubscribed>>(organization.log.events.at(-1));
    const channel = channelOf(7);
    const flags = new Map([
      [ada, { ...noFlags, read: rangesOf([3, 4, 5, 6]) }],
      [bo, { ...noFlags, read: rangesOf([4]) }],
    ]);
    const reader = standIn<MessageReader>({
      placesBelow: async (of: number, id: number, limit: number) =>
        (await channel.below(id, limit)).map((one) => ({ ...one, channelId: of })),
      flagsOfAll: () => Promise.resolve(flags),
      placements: () => Promise.resolve(new Placements()),
      open: () => Promise.reject(new Error('No session is needed')),
    });
    const stores = await openTemporaryStores();
    try {
      const streams = new FoldedStreams(stores.log);
      const { directory } = organization.snapshot();
      const clock = new SystemClock();
      const follower = standIn<DirectoryFollower>({ current: () => directory });
      const marker = new LeftChannelMarker(
        reader,
        new Decisions(streams, follower, clock, waitForNobody),
        clock,
      );
      await marker.read(left);
      await marker.read(left);
      const read = await Promise.all(userIds.map(async (id) => (await streams.load(flagsOf(id))).state.read));
      expect(read.map(idsIn)).toEqual([[], [3, 5, 6], [6]]);
      expect(channel.reads).toBe(2);
    } finally {
      await stores.close();
    }
  });

  it('are compared with many messages in parts, between which other requests get a turn', async () => {
    const organization = new TestOrganization();
    const ada = organization.register();
    const channelId = createChannel(organization, []);
    const joining = { channelId, color: null, notify: false, continuation: [] };
    const leaving = { channelId, userIds: [ada], throughMessageId: 9_000, continuation: [] };
    organization.log.append(`channel-${channelId}`, [
      { type: 'UsersSubscribed', data: { ...joining, userIds: [ada], afterMessageId: 9_000 } },
      { type: 'UsersUnsubscribed', data: leaving },
    ]);
    const left = standIn<Recorded<typeof UsersUnsubscribed>>(organization.log.events.at(-1));
    const channel = channelOf(9_000);
    const reader = standIn<MessageReader>({
      placesBelow: async (of: number, id: number, limit: number) =>
        (await channel.below(id, limit)).map((one) => ({ ...one, channelId: of })),
      flagsOfAll: () => Promise.resolve(new Map()),
      // A message was moved to the channel, so that all that are in it are compared; none was Ada's.
      placements: () => Promise.resolve(standIn<Placements>({ to: () => [{}] })),
    });
    const { directory } = organization.snapshot();
    const follower = standIn<DirectoryFollower>({ current: () => directory });
    const clock = new SystemClock();
    const marker = new LeftChannelMarker(
      reader,
      new Decisions(standIn<FoldedStreams>({}), follower, clock, waitForNobody),
      clock,
    );
    const isOver = jest.spyOn(TimeSlice.prototype, 'isOver', 'get').mockReturnValue(true);
    const turns = jest.spyOn(TimeSlice.prototype, 'next').mockResolvedValue();
    await marker.read(left);
    expect(turns).toHaveBeenCalledTimes(1 + 5);
    isOver.mockRestore();
    turns.mockRestore();
  });
});
