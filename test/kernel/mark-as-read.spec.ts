import { describe, expect, it } from '@jest/globals';
import { MarkAsRead, MarkAsReadHandler } from '../../src/contexts/messages/commands/flags.js';
import { FlagDecisions } from '../../src/contexts/messages/flags/flag-decisions.js';
import {
  flagsOf,
  flagsStream,
  noFlags,
  type FlaggedMessage,
} from '../../src/contexts/messages/flags/flags.state.js';
import type { MessageReader } from '../../src/contexts/messages/message-reader.js';
import { Placements } from '../../src/contexts/messages/placements.js';
import type { FindFlagsPage } from '../../src/contexts/messages/queries/flags.js';
import type { Readers } from '../../src/reader-threads/readers.js';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import { createChannel } from '../support/channels.js';
import { decisionsOver } from '../support/decisions-over.js';
import { TestOrganization } from '../support/organization.js';
import { standIn } from '../support/stand-in.js';
import { openTemporaryStores } from '../support/temporary-stores.js';

/** One more than two pages, with gaps between the ids that nothing bridges. */
const ids = Array.from({ length: 10_001 }, (_, index) => 2 * index + 1);

describe('marking a channel as read', () => {
  it('finds pages of messages in reader threads, and appends one event for each', async () => {
    const organization = new TestOrganization();
    const userId = organization.register();
    const channelId = createChannel(organization, []);
    const joining = { channelId, userIds: [userId], afterMessageId: 0, color: null, notify: false };
    organization.log.append(`channel-${channelId}`, [
      { type: 'UsersSubscribed', data: { ...joining, continuation: [] } },
    ]);
    const context = {
      snapshot: organization.snapshot(),
      user: organization.user(userId),
      placements: new Placements(),
      flags: noFlags,
    };
    const asked: FindFlagsPage['request'][] = [];
    const readers = standIn<Readers>({
      ask: ({ request }: FindFlagsPage) => {
        asked.push(request);
        const { anchor, after } = request.page;
        const above = ids.filter((id) => anchor.type === 'id' && id > anchor.id).slice(0, after);
        const messages = above.map((id) => unreadMessage(id, channelId));
        return Promise.resolve({ page: { messages, foundNewest: above.length < after }, surroundings: null });
      },
    });
    const stores = await openTemporaryStores();
    try {
      const reader = standIn<MessageReader>({ open: () => Promise.resolve({ context }) });
      const flags = new FlagDecisions(reader, decisionsOver(new FoldedStreams(stores.log)));
      const caller = { userId, client: 'test', requestId: 'test' };
      const place = { type: 'channel', channelId } as const;
      await new MarkAsReadHandler(flags, readers).execute(new MarkAsRead(caller, place));
      const events = await stores.log.store.readStream(flagsStream(userId), {
        direction: 'forwards',
        limit: 10,
      });
      const { state } = await new FoldedStreams(stores.log).load(flagsOf(userId));
      expect(events).toHaveLength(3);
      expect(state.read).toEqual(ids.map((id) => ({ from: id, through: id })));
      expect(asked.map(({ page }) => page)).toEqual(
        [0, ids[4999], ids[9999]].map((id) => ({
          anchor: { type: 'id', id },
          includeAnchor: false,
          before: 0,
          after: 5000,
        })),
      );
    } finally {
      await stores.close();
    }
  });
});

function unreadMessage(_id: number, channelId: number): FlaggedMessage {
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
