import { describe, expect, it } from '@jest/globals';
import type { DirectoryFollower } from '../../src/access/directory-follower.js';
import type { Channel } from '../../src/access/records/channel.js';
import type { ChannelActivityDocument } from '../../src/contexts/messages/conversation-documents.js';
import type { MessageReader } from '../../src/contexts/messages/message-reader.js';
import { MessageStatistics } from '../../src/contexts/messages/message-statistics.js';
import type { SystemClock } from '../../src/runtime/system-clock.js';
import { standIn } from '../support/stand-in.js';

const secondsPerDay = 86_400;
const today = 20_000;

/** The messages of one channel that was created some days ago, by how many days ago they were sent. */
async function activity(age: number, messages: Readonly<Record<number, number>> | null) {
  const channel = standIn<Channel>({ id: 7, createdAt: (today - age) * secondsPerDay * 1000 });
  const daysAgo = Object.keys(messages ?? {}).map(Number);
  const document: ChannelActivityDocument = {
    _id: 7,
    firstMessageId: 1,
    lastMessageAt: (today - Math.min(...daysAgo)) * secondsPerDay,
    perDay: Object.fromEntries(daysAgo.map((days) => [today - days, messages![days]!])),
  };
  const found = messages === null ? [] : [document];
  const statistics = new MessageStatistics(
    standIn<MessageReader>({
      model: () => Promise.resolve({ collection: () => ({ find: () => Promise.resolve(found) }) }),
    }),
    standIn<DirectoryFollower>({
      current: () => ({ channel: (id: number) => (id === channel.id ? channel : null) }),
    }),
    standIn<SystemClock>({ now: () => today * secondsPerDay * 1000 }),
  );
  return (await statistics.forChannels([7, 99])).get(7)!;
}

describe('the weekly traffic of a channel', () => {
  it.each([
    { what: 'is unknown in its first week', age: 6, messages: { 6: 40 }, expected: null },
    { what: 'is unknown in its first week without messages', age: 6, messages: null, expected: null },
    { what: 'is nothing where an older channel is empty', age: 7, messages: null, expected: 0 },
    {
      what: 'is counted from the creation, not the first message',
      age: 14,
      messages: { 1: 10 },
      expected: 5,
    },
    { what: 'is the average of four weeks', age: 400, messages: { 1: 60, 20: 60, 28: 1000 }, expected: 30 },
    { what: 'is at least one where there was a message', age: 400, messages: { 3: 1 }, expected: 1 },
    { what: 'has two significant digits', age: 400, messages: { 3: 4 * 1234 }, expected: 1200 },
  ])('$what', async ({ age, messages, expected }) => {
    expect((await activity(age, messages)).weeklyTraffic).toBe(expected);
  });

  it('leaves the rest of a channel without messages as that of a new one', async () => {
    expect(await activity(400, null)).toMatchObject({ firstMessageId: null, isRecentlyActive: true });
    expect(await activity(400, { 200: 1 })).toMatchObject({ firstMessageId: 1, isRecentlyActive: false });
  });
});
