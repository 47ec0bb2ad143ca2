import { describe, expect, it } from '@jest/globals';
import {
  ChangeFlags,
  ChangeFlagsHandler,
  MarkAsRead,
  MarkAsReadHandler,
} from '../../src/contexts/messages/commands/flags.js';
import { FlagDecisions } from '../../src/contexts/messages/flags/flag-decisions.js';
import {
  flagsOf,
  flagsStream,
  noFlags,
  type FlaggedMessage,
  type PersonalFlags,
} from '../../src/contexts/messages/flags/flags.state.js';
import type { MessageReader } from '../../src/contexts/messages/message-reader.js';
import { Placements } from '../../src/contexts/messages/placements.js';
import type { Source } from '../../src/contexts/messages/narrow/compiled-narrow.js';
import type { Window } from '../../src/contexts/messages/narrow/sources.js';
import type { FindFlagged, FindFlagsPage } from '../../src/contexts/messages/queries/flags.js';
import type { PersistedEvent } from '../../src/stores/event-store/port.js';
import type { Readers } from '../../src/reader-threads/readers.js';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import { createChannel } from '../support/channels.js';
import { decisionsOver } from '../support/decisions-over.js';
import { TestOrganization } from '../support/organization.js';
import { standIn } from '../support/stand-in.js';
import { openTemporaryStores } from '../support/temporary-stores.js';

/** One more than two pages, with gaps between the ids that nothing bridges. */
const ids = Array.from({ length: 10_001 }, (_, index) => 2 * index + 1);

const organization = new TestOrganization();
const userId = organization.register();
const channelId = createChannel(organization, []);
const joining = { channelId, userIds: [userId], afterMessageId: 0, color: null, notify: false };
organization.log.append(`channel-${channelId}`, [
  { type: 'UsersSubscribed', data: { ...joining, continuation: [] } },
]);
const caller = { userId, client: 'test', requestId: 'test' };

/** What a search of somebody's messages is made of. */
interface Searched {
  readonly flags: PersonalFlags;
  readonly sources: readonly Pick<Source, 'channelIds' | 'after' | 'through' | 'arrivals'>[];
}

/** Flags of somebody who received the messages, and never read any. */
async function withFlags(
  work: (world: {
    readonly flags: FlagDecisions;
    readonly appended: () => Promise<readonly PersistedEvent[]>;
    readonly load: () => Promise<PersonalFlags>;
  }) => Promise<void>,
  { flags = noFlags, sources = [] }: Partial<Searched> = {},
): Promise<void> {
  const session = {
    context: {
      snapshot: organization.snapshot(),
      user: organization.user(userId),
      placements: new Placements(),
      flags,
    },
    flagsRevision: null,
    latestPersonal: () => Promise.resolve(unreadMessage(ids.at(-1)!)),
    compile: () => Promise.resolve({ sources }),
    search: {
      placesOf: (named: readonly number[]) => Promise.resolve(named.map(unreadMessage)),
      findPlaces: (_narrow: unknown, { window }: { readonly window: Window }) => {
        const within = ids.filter((id) => id >= window.from && id <= window.to);
        return Promise.resolve(within.map(unreadMessage).reverse());
      },
    },
  };
  const reader = standIn<MessageReader>({ open: () => Promise.resolve(session) });
  const stores = await openTemporaryStores();
  try {
    await work({
      flags: new FlagDecisions(reader, decisionsOver(new FoldedStreams(stores.log))),
      appended: () => stores.log.store.readStream(flagsStream(userId), { direction: 'forwards', limit: 10 }),
      load: async () => (await new FoldedStreams(stores.log).load(flagsOf(userId))).state,
    });
  } finally {
    await stores.close();
  }
}

describe('marking a channel as read', () => {
  it('finds pages of messages in reader threads, and appends one event for each', () =>
    withFlags(async ({ flags, appended, load }) => {
      const asked: FindFlagsPage['request'][] = [];
      const readers = standIn<Readers>({
        ask: ({ request }: FindFlagsPage) => {
          asked.push(request);
          const { anchor, after } = request.page;
          const above = ids.filter((id) => anchor.type === 'id' && id > anchor.id).slice(0, after);
          const page = { messages: above.map(unreadMessage), foundNewest: above.length < after };
          return Promise.resolve({ page, surroundings: null });
        },
      });
      const place = { type: 'channel', channelId } as const;
      await new MarkAsReadHandler(flags, readers).execute(new MarkAsRead(caller, place));
      expect(await appended()).toHaveLength(3);
      expect((await load()).read).toEqual(ids.map((id) => ({ from: id, through: id })));
      expect(asked.map(({ page }) => page)).toEqual(
        [0, ids[4999], ids[9999]].map((id) => ({
          anchor: { type: 'id', id },
          includeAnchor: false,
          before: 0,
          after: 5000,
        })),
      );
    }));
});

describe('marking everything as read', () => {
  it('searches no unread messages in a reader thread, and appends one event if anything is new', () =>
    withFlags(async ({ flags, appended, load }) => {
      const handler = new MarkAsReadHandler(flags, standIn<Readers>({}));
      const command = new MarkAsRead(caller, { type: 'everything' });
      await handler.execute(command);
      await handler.execute(command);
      expect(await appended()).toMatchObject([{ type: 'MessagesMarkedRead', data: { everything: true } }]);
      expect((await load()).read).toEqual([{ from: 1, through: ids.at(-1) }]);
    }));
});

describe('marking messages as read by their ids', () => {
  /** Marks messages; returns those that a reader thread was asked for. */
  async function mark(flags: FlagDecisions, messageIds: readonly number[]): Promise<readonly number[]> {
    const asked: number[] = [];
    const readers = standIn<Readers>({
      ask: ({ request }: FindFlagged) => {
        asked.push(...request.messageIds);
        return Promise.resolve({ messages: request.messageIds.map(unreadMessage), surroundings: null });
      },
    });
    const change = { op: 'add', flag: 'read' } as const;
    await new ChangeFlagsHandler(flags, readers).execute(new ChangeFlags(caller, change, messageIds));
    return asked;
  }

  it('asks no reader thread about few messages, and joins their ranges', () =>
    withFlags(async ({ flags, load }) => {
      const few = ids.slice(0, 200);
      expect(await mark(flags, few)).toEqual([]);
      expect((await load()).read).toEqual([{ from: 1, through: few.at(-1) }]);
    }));

  it('asks a reader thread about many', () =>
    withFlags(async ({ flags, load }) => {
      const many = ids.slice(0, 201);
      expect(await mark(flags, many)).toEqual(many);
      expect((await load()).read).toHaveLength(201);
    }));

  it('asks a reader thread about few with very many between them', () =>
    withFlags(async ({ flags, load }) => {
      const far = [ids[0]!, ids[1_000]!];
      expect(await mark(flags, far)).toEqual(far);
      expect((await load()).read).toHaveLength(2);
    }));

  const few = ids.slice(0, 10);
  const periods = (count: number, from: number): Searched['sources'] =>
    Array.from({ length: count }, (_, index) => ({
      channelIds: [channelId],
      after: from + index,
      through: from + index + 1,
      arrivals: null,
    }));
  const ever = { channelIds: null, after: 0, through: null, arrivals: null };

  it.each<[string, Partial<Searched>, readonly number[]]>([
    [
      'of somebody who adopted few messages',
      { flags: { ...noFlags, adopted: [{ from: 3, through: 102 }] } },
      [],
    ],
    [
      'of somebody who adopted many messages',
      { flags: { ...noFlags, adopted: [{ from: 3, through: 103 }] } },
      few,
    ],
    ['that lie in many sources', { sources: periods(51, -41) }, []],
    ['that may lie in any of many sources', { sources: Array(51).fill(periods(1, 2)[0]) }, few],
    ['that came by many moves', { sources: [{ ...ever, arrivals: Array(51).fill(1) }] }, few],
    ['that lie in few sources', { sources: periods(50, 0) }, []],
    ['of many channels', { sources: [{ ...ever, channelIds: Array(51).fill(channelId) }] }, few],
    ['of few channels', { sources: [{ ...ever, channelIds: Array(50).fill(channelId) }] }, []],
  ])('asks a reader thread about few messages %s only if that may take long', (_, searched, expected) =>
    withFlags(async ({ flags }) => {
      expect(await mark(flags, few)).toEqual(expected);
    }, searched),
  );
});

function unreadMessage(_id: number): FlaggedMessage {
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
