import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  difference,
  firstAbove,
  hasId,
  idsIn,
  maxIdsIn,
  lastBelow,
  rangesOf,
  union,
} from '../../src/contexts/messages/flags/id-ranges.js';
import {
  decideMarking,
  decideMarkAllRead,
  decideMarkLeftRead,
  parseFlag,
  type MarkingFacts,
} from '../../src/contexts/messages/flags/flags.decide.js';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import { Placements } from '../../src/contexts/messages/placements.js';
import { FlagDecisions } from '../../src/contexts/messages/flags/flag-decisions.js';
import { noFlags, type FlaggedMessage } from '../../src/contexts/messages/flags/flags.state.js';
import type { MessageReader } from '../../src/contexts/messages/message-reader.js';
import { noTexts, type CompiledNarrow } from '../../src/contexts/messages/narrow/compiled-narrow.js';
import { search } from '../../src/contexts/messages/narrow/search.js';
import type { QuerySession } from '../../src/contexts/messages/query-session.js';
import { createChannel } from '../support/channels.js';
import { refusal } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';
import { openTemporaryStores } from '../support/temporary-stores.js';
import { decisionsOver } from '../support/decisions-over.js';
import { standIn } from '../support/stand-in.js';

const someIds = fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 20 });
const rising = (ids: Iterable<number>): number[] => [...ids].sort((a, b) => a - b);

describe('ranges of ids', () => {
  it('are the sets that they stand for', () => {
    fc.assert(
      fc.property(someIds, someIds, fc.integer({ min: 1, max: 31 }), (one, other, id) => {
        const [a, b] = [rangesOf(one), rangesOf(other)];
        expect(idsIn(a)).toEqual(rising(one));
        expect(idsIn(union(a, b))).toEqual(rising(new Set([...one, ...other])));
        expect(idsIn(difference(a, b))).toEqual(rising(one.filter((each) => !other.includes(each))));
        expect(hasId(a, id)).toBe(one.includes(id));
        expect(lastBelow(a, id)).toBe(Math.max(0, ...one.filter((each) => each < id)));
        const above = one.filter((each) => each > id);
        expect(maxIdsIn(a, other.length)).toEqual(other.length === 0 ? [] : rising(one).slice(-other.length));
        expect(firstAbove(a, id)).toBe(above.length === 0 ? null : Math.min(...above));
      }),
    );
  });

  it('never touch each other', () => {
    expect(rangesOf([5, 1, 2, 4, 9])).toEqual([
      { from: 1, through: 2 },
      { from: 4, through: 5 },
      { from: 9, through: 9 },
    ]);
    expect(union(rangesOf([1, 2]), rangesOf([3]))).toEqual([{ from: 1, through: 3 }]);
  });
});

/** Ada in a channel in which she received the messages from the third on. */
function world(): {
  readonly userId: number;
  facts(ids: readonly number[], given?: Partial<MarkingFacts>): MarkingFacts;
} {
  const organization = new TestOrganization();
  const ada = organization.register();
  const channelId = createChannel(organization, []);
  const joining = {
    channelId,
    userIds: [ada],
    afterMessageId: 2,
    color: null,
    notify: false,
    continuation: [],
  };
  organization.log.append(`channel-${channelId}`, [{ type: 'UsersSubscribed', data: joining }]);
  const message = (_id: number): FlaggedMessage => ({
    _id,
    channelId,
    senderId: ada + 1,
    readBySender: false,
    readOnArrival: null,
    mutedByIds: [],
    givenToIds: [],
    arrival: 0,
  });
  return {
    userId: ada,
    facts: (ids, given = {}) => ({
      snapshot: organization.snapshot(),
      user: organization.user(ada),
      placements: new Placements(),
      messages: ids.map(message),
      surroundings: null,
      revision: null,
      ...given,
    }),
  };
}

const read = { op: 'add', flag: 'read' } as const;
const unread = { op: 'remove', flag: 'read' } as const;
const star = { op: 'add', flag: 'starred' } as const;

describe('reading messages', () => {
  it('leaves alone what is read already, and history', () => {
    const { facts, userId } = world();
    const flags = { ...noFlags, read: rangesOf([4]) };
    expect(decideMarking(flags, read, facts([1, 4, 5]))).toEqual([
      { type: 'MessagesMarkedRead', data: { userId, ranges: [{ from: 5, through: 5 }] } },
    ]);
    expect(decideMarking(flags, read, facts([1, 4]))).toEqual([]);
  });

  it('runs over whatever is not unread between', () => {
    const { facts, userId } = world();
    const flags = { ...noFlags, read: rangesOf([20]) };
    const surroundings = { revision: 7, after: 0, unreadIds: [5, 8, 9, 15] };
    const decided = decideMarking(flags, read, facts([5, 9, 15], { surroundings, revision: 7 }));
    const ranges = [
      { from: 1, through: 5 },
      { from: 9, through: 19 },
    ];
    const changed = rangesOf([5, 9, 15]);
    expect(decided).toEqual([{ type: 'MessagesMarkedRead', data: { userId, ranges, changed } }]);
  });

  it('does not list the messages that changed where that list would be long', () => {
    const { facts, userId } = world();
    const reading = (count: number): unknown => {
      const unreadIds = Array.from({ length: count }, (_, index) => 2 * index + 3);
      const surroundings = { revision: 7, after: 0, unreadIds };
      return decideMarking(noFlags, read, facts(unreadIds, { surroundings, revision: 7 }))[0]?.data;
    };
    expect(reading(5001)).toEqual({ userId, ranges: [{ from: 1, through: 10_003 }] });
    expect(reading(5000)).toHaveProperty('changed.length', 5000);
  });

  it('relies on nothing that was seen before the flags changed', () => {
    const { facts, userId } = world();
    const surroundings = { revision: 6, after: 0, unreadIds: [5, 9] };
    const decided = decideMarking(noFlags, read, facts([5, 9], { surroundings, revision: 7 }));
    const ranges = [
      { from: 5, through: 5 },
      { from: 9, through: 9 },
    ];
    expect(decided).toEqual([{ type: 'MessagesMarkedRead', data: { userId, ranges } }]);
  });

  it('is one range when everything is read, and nothing when it was', () => {
    const ranges = [{ from: 1, through: 9 }];
    const all = { type: 'MessagesMarkedRead', data: { userId: 3, ranges, everything: true } };
    expect(decideMarkAllRead(noFlags, { userId: 3, lastMessageId: 9 })).toEqual([all]);
    const flags = { ...noFlags, read: [{ from: 1, through: 12 }] };
    expect(decideMarkAllRead(flags, { userId: 3, lastMessageId: 9 })).toEqual([]);
  });

  it('takes what was unread in a channel until the person left it', () => {
    const { facts, userId } = world();
    const period = { after: 2, through: 6, joinedAt: 0, leftAt: 1 };
    const flags = { ...noFlags, read: rangesOf([4]) };
    expect(decideMarkLeftRead(flags, period, facts([1, 3, 4, 5, 7]))).toEqual([
      { type: 'MessagesMarkedRead', data: { userId, ranges: rangesOf([3, 5]) } },
    ]);
    expect(decideMarkLeftRead(flags, period, facts([1, 4, 7]))).toEqual([]);
  });

  it('is taken back only for what can be unread', () => {
    const { facts, userId } = world();
    const flags = { ...noFlags, read: [{ from: 1, through: 9 }] };
    expect(decideMarking(flags, unread, facts([1, 5, 12]))).toEqual([
      { type: 'MessagesMarkedUnread', data: { userId, ranges: [{ from: 5, through: 5 }] } },
    ]);
  });
});

/** More than the number of arguments that a function call can have. */
const tooManyForACall = 200_000;

describe('more messages than a call has arguments', () => {
  const ids = Array.from({ length: tooManyForACall }, (_, index) => index + 3);

  it('are marked as read at once', async () => {
    const { facts, userId } = world();
    const { messages, ...viewer } = facts(ids);
    const session = standIn<QuerySession>({
      context: { ...viewer, snapshot: { ...viewer.snapshot, now: 0 }, flags: noFlags },
      flagsRevision: null,
      compile: () => Promise.resolve(null),
      search: { findPlaces: () => Promise.resolve([]) },
    });
    const stores = await openTemporaryStores();
    try {
      const changes = new FlagDecisions(
        standIn<MessageReader>(null),
        decisionsOver(new FoldedStreams(stores.log)),
      );
      const caller = { userId, client: 'test' } as never;
      const change = { op: 'add', flag: 'read' } as const;
      const { updatedCount } = await changes.apply(caller, session, { change, messages });
      expect(updatedCount).toBe(ids.length);
    } finally {
      await stores.close();
    }
  });

  it.each([
    ['by texts', { sought: { stems: [], phrases: [] }, unwanted: [] }],
    ['by places', noTexts],
  ])('are found at once %s', async (_, texts) => {
    const narrow: CompiledNarrow = {
      sources: [{ filter: {}, channelIds: null, after: 0, through: null, arrivals: null }],
      conditions: [],
      within: null,
      indexed: [],
      listed: null,
      tests: [],
      texts,
    };
    const found = await search(narrow, {
      window: { from: 1, to: ids.at(-1)! },
      order: 1,
      limit: ids.length + 1,
      find: () => Promise.resolve(ids.map((_id) => ({ document: { _id } as never }))),
      findIds: () => Promise.resolve(ids),
      texts: {
        possible: (some) => Promise.resolve(some),
        scans: () => Promise.resolve([() => Promise.resolve(ids)]),
        passing: (rows) => Promise.resolve(rows),
      },
    });
    expect(found).toHaveLength(ids.length);
  });
});

describe('starring messages', () => {
  it('makes history one’s own, once', () => {
    const { facts, userId } = world();
    expect(decideMarking(noFlags, star, facts([1, 5]))).toEqual([
      { type: 'MessagesStarred', data: { userId, messageIds: [1, 5], adoptedIds: [1] } },
    ]);
    const flags = { ...noFlags, adopted: rangesOf([1]), starred: rangesOf([5]) };
    expect(decideMarking(flags, star, facts([1, 5]))).toEqual([
      { type: 'MessagesStarred', data: { userId, messageIds: [1], adoptedIds: [] } },
    ]);
  });
});

describe('a flag', () => {
  it.each(['read', 'starred', 'collapsed'])('%s is for people to set', (flag) => {
    expect(parseFlag(flag)).toBe(flag);
  });

  it.each([
    ['mentioned', 'flagNotEditable'],
    ['historical', 'flagNotEditable'],
    ['has_alert_word', 'flagNotEditable'],
    ['toString', 'invalidFlag'],
  ])('%s is not', (flag, error) => {
    expect(refusal(() => parseFlag(flag))).toBe(error);
  });
});
