import { describe, expect, it } from '@jest/globals';
import { NameHistory, namingEventTypes } from '../../src/audit/sentences/name-history.js';
import { describedEventTypes, sentenceOf, sentenceTables } from '../../src/audit/sentences/sentence-of.js';
import { eventCatalog } from '../../src/stores/event-catalog.js';
import type { RecordedEvent } from '../../src/kernel/event.js';

const facts = { id: 'id', stream: 'users', revision: 0, erased: false } as const;
const metadata = { commandId: 'c', client: 'test', at: 1_767_225_600_000 };

interface Facts {
  readonly position?: number;
  readonly actorId?: number | null;
  readonly causationId?: string | null;
}

function recorded(
  type: string,
  data: unknown,
  { position = 100, actorId = 3, causationId = null }: Facts = {},
): RecordedEvent {
  return { ...facts, type, data, position, metadata: { ...metadata, actorId, causationId } };
}

/** The names of things after these events, whose positions start at 1. */
function history(...namings: readonly (readonly [type: string, data: object])[]): NameHistory {
  const names = new NameHistory();
  namings.forEach(([type, data], index) => names.learn(recorded(type, data, { position: index + 1 })));
  return names;
}

const known = history(
  ['UserRegistered', { userId: 3, fullName: 'Ada Quill' }],
  ['UserRegistered', { userId: 4, fullName: 'Bo Loom' }],
  ['ChannelCreated', { channelId: 1, name: 'general' }],
);

describe.each(eventCatalog.definitions.map((definition) => [definition.type, definition] as const))(
  'the event %s',
  (type, { example }) => {
    it('is told of in one sentence, with and without names, whoever acted', () => {
      expect(describedEventTypes).toContain(type);
      for (const names of [known, new NameHistory()]) {
        for (const actorId of [3, 4, null]) {
          const sentence = sentenceOf(recorded(type, example, { actorId }), names);
          expect(sentence).toMatch(/^[\p{Lu}“].*[^.]\.$/u);
          expect(sentence).not.toMatch(/undefined|null|NaN|\[object|\n/);
        }
      }
    });
  },
);

it('an event has a sentence in only one of the tables', () => {
  const types = sentenceTables.flatMap((table) => Object.keys(table));
  expect(types.length).toBeGreaterThan(100);
  expect(types.filter((type, index) => types.indexOf(type) !== index)).toEqual([]);
});

it('a sentence about somebody names whoever acted instead', () => {
  const names = history(['UserRegistered', { userId: 77, fullName: 'Cy Actor' }]);
  const ofPeople = eventCatalog.definitions.filter(({ example }) => 'userId' in (example as object));
  expect(ofPeople.length).toBeGreaterThan(60);
  for (const { type, example } of ofPeople)
    expect(sentenceOf(recorded(type, example, { actorId: 77 }), names)).toContain('Cy Actor (77)');
});

it('no sentence is about an event that does not exist', () => {
  const types = new Set(eventCatalog.definitions.map(({ type }) => type));
  expect([...describedEventTypes, ...namingEventTypes].filter((type) => !types.has(type))).toEqual([]);
});

describe('a sentence', () => {
  const names = history(
    ['UserRegistered', { userId: 3, fullName: 'Ada Quill' }],
    ['ChannelCreated', { channelId: 1, name: 'general' }],
    ['UserRenamed', { userId: 3, fullName: 'Ada Byron' }],
    ['ChannelRenamed', { channelId: 1, name: 'lounge' }],
  );
  const said = (content: string, position: number): string =>
    sentenceOf(
      recorded(
        'MessageSent',
        { senderId: 3, recipient: { type: 'channel', channelId: 1, topic: 'tea' }, content },
        { position },
      ),
      names,
    );

  it('uses the names that people and channels had at the time of the event', () => {
    expect(said('Hello', 2)).toBe('Ada Quill (3) wrote to #general (1) > “tea”: “Hello”.');
    expect(said('Hello', 4)).toBe('Ada Byron (3) wrote to #general (1) > “tea”: “Hello”.');
    expect(said('Hello', 5)).toBe('Ada Byron (3) wrote to #lounge (1) > “tea”: “Hello”.');
    const renaming = recorded('UserRenamed', { userId: 3, fullName: 'Ada Byron' }, { position: 3 });
    expect(sentenceOf(renaming, names)).toBe('Ada Quill (3) gave their own account the name “Ada Byron”.');
  });

  it('names by its id what never had a name', () => {
    expect(sentenceOf(recorded('UserDeactivated', { userId: 99 }), new NameHistory())).toBe(
      'User 3 deactivated the account of user 99.',
    );
  });

  it('holds nothing that a terminal acts on, and is cut where people wrote much', () => {
    expect(said('a\u001b[2Jb\nc\u202ed\u009be', 5)).toContain('“a\ufffd[2Jb c\ufffdd\ufffde”');
    expect(said('x'.repeat(5_000), 5)).toContain(`“${'x'.repeat(80)}…”`);
  });

  it('says what somebody was before, where the event knows', () => {
    const change = recorded('UserRoleChanged', { userId: 4, role: 200, previousRole: 400 });
    expect(sentenceOf(change, known)).toBe(
      'Ada Quill (3) made Bo Loom (4) an administrator, who was a member until then.',
    );
  });

  it.each([
    ['change_later', undefined, 'the messages from message 41 on from #a (1) > “x” to #b (2) > “y”.'],
    ['change_later', 12, '12 messages from #a (1) > “x” to #b (2) > “y”, beginning with message 41.'],
    ['change_all', 12, '12 messages from #a (1) > “x” to #b (2) > “y”: the topic of message 41.'],
    ['change_later', 1, '1 message from #a (1) > “x” to #b (2) > “y”, beginning with message 41.'],
    ['change_one', 1, 'message 41 from #a (1) > “x” to #b (2) > “y”.'],
    [
      'change_all',
      0,
      'no messages from #a (1) > “x” to #b (2) > “y”, because there were none left to move with message 41.',
    ],
  ])('about a move (%s) tells how many messages it took along: %p', (mode, count, said) => {
    const names = history(
      ['UserRegistered', { userId: 3, fullName: 'Ada Quill' }],
      ['ChannelCreated', { channelId: 1, name: 'a' }],
      ['ChannelCreated', { channelId: 2, name: 'b' }],
    );
    const selection = { channelId: 1, topic: 'x', bounds: { after: 40, through: null }, visible: null };
    const data = { messageId: 41, mode, selection, newTopic: 'y', newChannel: { channelId: 2 } };
    const moved = recorded('MessagesMoved', data);
    const shown = count === undefined ? moved : { ...moved, moved_messages: count };
    expect(sentenceOf(shown, names)).toBe(`Ada Quill (3) moved ${said}`);
  });

  it.each([
    [12, ' as resolved, with its 12 messages.'],
    [1, ' as resolved, with its 1 message.'],
    [0, ' as resolved.'],
    [undefined, ' as resolved.'],
  ])('about a resolved topic tells how many messages it has: %p', (count, said) => {
    const selection = { channelId: 1, topic: 'x', bounds: { after: 0, through: null }, visible: null };
    const data = { messageId: 41, mode: 'change_all', selection, newTopic: '✔ x' };
    const resolved = recorded('TopicResolved', data);
    const shown = count === undefined ? resolved : { ...resolved, moved_messages: count };
    expect(sentenceOf(shown, known).endsWith(said)).toBe(true);
  });

  it('names the first few of many', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => index + 10);
    const data = { channelId: 1, userIds: many, continuation: [] };
    expect(sentenceOf(recorded('UsersSubscribed', data, { actorId: null }), known)).toBe(
      'The server subscribed user 10, user 11, user 12, user 13, user 14 and 995 others to #general (1).',
    );
  });

  it.each([
    ['UserGroupMembersChanged', [4], [], 'added Bo Loom (4) to the group group 9.'],
    ['UserGroupMembersChanged', [], [4], 'removed Bo Loom (4) from the group group 9.'],
    [
      'UserGroupMembersChanged',
      [4],
      [3],
      'added Bo Loom (4) to the group group 9 and removed Ada Quill (3).',
    ],
    ['UserGroupSubgroupsChanged', [8], [], 'made group 8 part of the group group 9.'],
    ['UserGroupSubgroupsChanged', [], [8], 'removed group 8 from the group group 9.'],
    ['UserGroupSubgroupsChanged', [8], [7], 'made group 8 part of the group group 9 and removed group 7.'],
  ])('about %s of %p and %p leaves out what did not happen', (type, ...[added, removed, said]) => {
    const change = recorded(type, { groupId: 9, added, removed });
    expect(sentenceOf(change, known)).toBe(`Ada Quill (3) ${said}`);
  });

  it.each([
    [
      4,
      { type: 'channel', channelId: 1, topic: 'tea' },
      ' of Bo Loom (4), which was in #general (1) > “tea”.',
    ],
    [
      4,
      { type: 'direct', userIds: [3, 4] },
      ' of Bo Loom (4), which was a direct message to Ada Quill (3) and Bo Loom (4).',
    ],
    [null, null, '.'],
  ])('about a deletion says where the message was, not where it was sent to', (senderId, recipient, said) => {
    const deletion = recorded('MessageDeleted', { messageId: 41, senderId, recipient });
    expect(sentenceOf(deletion, known)).toBe(`Ada Quill (3) deleted message 41${said}`);
  });

  it.each([
    [
      'UserStatusChanged',
      { text: 'Away', emoji: null },
      'Bo Loom (4) set the status of Ada Quill (3) to “Away”.',
    ],
    [
      'UserSettingChanged',
      { setting: 'enter_sends', value: true },
      'Bo Loom (4) set enter sends to on for Ada Quill (3).',
    ],
    [
      'SubscriptionPropertyChanged',
      { channelId: 1, property: 'pin_to_top', value: true },
      'Bo Loom (4) set pin to top of the channel #general (1) to on for Ada Quill (3).',
    ],
    [
      'TopicVisibilityChanged',
      { channelId: 1, topic: 'tea', policy: 0 },
      'By an action of Bo Loom (4): Ada Quill (3) no longer has a visibility policy for the topic “tea” of #general (1).',
    ],
    [
      'TopicVisibilityChanged',
      { channelId: 1, topic: 'tea', policy: 3 },
      'By an action of Bo Loom (4): Ada Quill (3) now follows the topic “tea” of #general (1).',
    ],
    [
      'ApiKeyIssued',
      { keyId: 'k', reason: 'regenerated', address: '192.0.2.7', client: '' },
      'API key k of Ada Quill (3) was issued by Bo Loom (4) to replace all others from “192.0.2.7”.',
    ],
  ])('about %s of somebody says who did it', (type, data, said) => {
    const change = { userId: 3, ...data };
    expect(sentenceOf(recorded(type, change, { actorId: 4 }), known)).toBe(said);
  });

  it.each([
    [null, 3, {}, 'Ada Quill (3) read what they had received of the messages 1 to 2.'],
    ['an event', 3, {}, 'because they left a channel.'],
    ['an event', 4, {}, 'because Bo Loom (4) unsubscribed them from a channel.'],
    ['an event', null, {}, 'because the server unsubscribed them from a channel.'],
    ['an event', 3, { mutedUserId: 4 }, 'because they muted Bo Loom (4).'],
  ])(
    'about messages that became read by %p of %p with %p says why',
    (...[causationId, actorId, more, said]) => {
      const data = { userId: 3, ranges: [{ from: 1, through: 2 }], ...more };
      const reading = sentenceOf(recorded('MessagesMarkedRead', data, { actorId, causationId }), known);
      const marked = `What Ada Quill (3) had not read of the messages 1 to 2 was marked as read, ${said}`;
      expect(reading).toBe(causationId === null ? said : marked);
    },
  );
});
