import { describe, expect, it } from '@jest/globals';
import { Directory } from '../../src/access/directory.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import type { MoveDocument } from '../../src/contexts/messages/moves/move-documents.js';
import type { MoveEvent } from '../../src/events/message-moves.js';
import { markReadOnArrival, noticesOfMove } from '../../src/contexts/messages/moves/move-notices.decide.js';
import { createChannel } from '../support/channels.js';
import { atTheTime, TestLog } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';

const organization = new TestOrganization();
const actor = organization.register({ fullName: 'Ada' });
const follower = organization.register();
const other = organization.register();
const lab = createChannel(organization, [actor, follower, other], { name: 'lab' });
const attic = createChannel(organization, [], { name: 'attic' });
const { directory } = organization.snapshot();

const outcome: MoveDocument = {
  _id: '1:0',
  eventId: 'event',
  kind: 'move',
  userId: actor,
  timestamp: atTheTime / 1000,
  channelId: lab,
  topic: 'looms',
  newChannelId: attic,
  newTopic: 'weaving',
  editId: null,
  moved: { count: 3, firstMessageId: 41, lastMessageId: 50 },
  isWhole: true,
  targetWasEmpty: true,
  position: 7,
  outdatedNoticeId: null,
};

const selection = { channelId: lab, topic: 'looms', bounds: { after: 0, through: null }, visible: null };
const movement = { messageId: 41, mode: 'change_all', selection, newTopic: 'weaving' } as const;

function recorded(event: MoveEvent): RecordedEvent<MoveEvent> {
  return new TestLog().append('channel-1', [event])[0]!;
}

function moved(notify: { oldThread: boolean; newThread: boolean }): RecordedEvent<MoveEvent> {
  return recorded({ type: 'MessagesMoved', data: { ...movement, newChannel: null, notify } });
}

/** The notices of a move, and where they are sent. */
function told(event: RecordedEvent<MoveEvent>, move: Partial<MoveDocument> = {}): unknown[] {
  const markRead = { everyone: true, except: [] };
  const notices = noticesOfMove({
    event,
    move: { ...outcome, ...move },
    directory,
    markReadOnArrival: markRead,
  });
  return notices.map(({ to, content }) => ['topic' in to ? to.topic : null, content]);
}

const by = `by @_**Ada|${actor}**.`;
const both = moved({ oldThread: true, newThread: true });

describe('what the notification bot says of a move', () => {
  it.each([
    [
      {},
      `This topic was moved here from #**lab>looms** ${by}`,
      `This topic was moved to #**attic>weaving** ${by}`,
    ],
    [
      { targetWasEmpty: false },
      `3 messages were moved here from #**lab>looms** ${by}`,
      `This topic was moved to #**attic>weaving** ${by}`,
    ],
    [
      { isWhole: false },
      `3 messages were moved here from #**lab>looms** ${by}`,
      `3 messages were moved from this topic to #**attic>weaving** ${by}`,
    ],
    [
      { isWhole: false, moved: { count: 1, firstMessageId: 41, lastMessageId: 41 } },
      `[A message](#narrow/channel/${attic}-attic/topic/weaving/near/41) was moved here from #**lab>looms** ${by}`,
      `[A message](#narrow/channel/${attic}-attic/topic/weaving/near/41) was moved from this topic to #**attic>weaving** ${by}`,
    ],
  ])('that came to %j', (move, here, there) => {
    expect(told(both, move)).toEqual([
      ['weaving', here],
      ['looms', there],
    ]);
  });

  it('goes where the mover wants it', () => {
    expect(told(moved({ oldThread: false, newThread: false }))).toEqual([]);
    expect(told(moved({ oldThread: true, newThread: false }))).toHaveLength(1);
  });

  it('is in the topic where it is a mark', () => {
    const resolved = recorded({ type: 'TopicResolved', data: { ...movement, newTopic: '✔ looms' } });
    const place = { kind: 'resolve', newChannelId: lab, newTopic: '✔ looms' } as const;
    expect(told(resolved, place)).toEqual([
      ['✔ looms', `@_**Ada|${actor}** has marked this topic as resolved.`],
    ]);
    expect(told(resolved, { ...place, editId: 'edit' })).toEqual([]);
    expect(told(both, { editId: 'edit' })).toHaveLength(2);
  });

  it('names nobody who is not known', () => {
    expect(told(both, { userId: null })[0]).toEqual(['weaving', expect.stringContaining('by Somebody.')]);
    const unknown = { event: both, move: outcome, directory: new Directory() };
    expect(noticesOfMove({ ...unknown, markReadOnArrival: { everyone: true, except: [] } })).toHaveLength(2);
  });
});

describe('the notice of a mark', () => {
  it('is unread for those alone who follow the topic, save for who put the mark', () => {
    const place = { newChannelId: lab, userId: actor };
    const policies = new Map([
      [follower, 3],
      [actor, 3],
      [other, 1],
    ] as const);
    expect(markReadOnArrival(place, directory, policies)).toEqual({ everyone: true, except: [follower] });
  });
});
