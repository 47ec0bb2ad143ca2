import { hash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import { decideDeleteMessage } from '../../src/contexts/messages/deletion/deletion.decide.js';
import {
  decideEditMessage,
  decideMoveMessage,
  type EditFacts,
  type EditRequest,
} from '../../src/contexts/messages/edits.decide.js';
import type { EventOf } from '../../src/kernel/event.js';
import { decideSendMessage } from '../../src/contexts/messages/sending/sending.decide.js';
import type { Mentions, MessageEdited, Recipient } from '../../src/events/messages.js';
import type { Message } from '../../src/contexts/messages/message.state.js';
import { noUploads } from '../../src/contexts/messages/sending/compose-text.js';
import { mattersWhetherNew, type SendFacts } from '../../src/contexts/messages/sending/recipients.js';
import { normalizeContent, normalizeTopic } from '../../src/events/values/message-text.js';
import { createChannel, ordinaryChannel } from '../support/channels.js';
import { atTheTime, refusal } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';

const minutes = 60_000;
const sha256 = (text: string): string => hash('sha256', text);

function sending(organization: TestOrganization, senderId: number, recipient: Recipient): SendFacts {
  const sender = organization.user(senderId);
  return {
    snapshot: organization.snapshot(),
    sender,
    recipient,
    isNewConversation: true,
    topicParticipantIds: [],
    uploads: noUploads,
  };
}

function toChannel(channelId: number, topic = 'engines'): Recipient {
  return { type: 'channel', channelId, topic };
}

const hello = { content: 'hello', readBySender: false };

describe('sending a message', () => {
  it('states who sent what where, and what its names meant', () => {
    const organization = new TestOrganization();
    const ada = organization.register({ fullName: 'Ada Quill' });
    const channel = createChannel(organization, [ada]);
    const event = decideSendMessage(
      { content: 'ask @**Ada Quill**  \n', readBySender: true },
      sending(organization, ada, toChannel(channel)),
    );
    expect(event.type).toBe('MessageSent');
    expect(event.data).toMatchObject({
      senderId: ada,
      recipient: { type: 'channel', channelId: channel, topic: 'engines' },
      content: 'ask @**Ada Quill**',
      readBySender: true,
      mentions: { userIds: [ada], groups: [], channelWildcard: false, topicWildcard: false },
    });
  });

  it('needs a text', () => {
    const organization = new TestOrganization();
    const ada = organization.register();
    const facts = sending(organization, ada, toChannel(createChannel(organization, [ada])));
    expect(refusal(() => decideSendMessage({ content: ' \n ', readBySender: false }, facts))).toBe(
      'messageEmpty',
    );
  });

  it.each([
    ['a subscriber of a private channel', true, null],
    ['somebody outside a private channel', false, 'unknownChannelId'],
  ])('lets %s post there as they may', (_who, subscribed, expected) => {
    const organization = new TestOrganization();
    const [ada, bo] = [organization.register(), organization.register()];
    const privacy = { inviteOnly: true, historyPublicToSubscribers: true, isWebPublic: false };
    const channel = createChannel(organization, subscribed ? [ada, bo] : [bo], { privacy });
    expect(refusal(() => decideSendMessage(hello, sending(organization, ada, toChannel(channel))))).toBe(
      expected,
    );
  });

  it('answers alike for a private channel out of reach and for none', () => {
    const organization = new TestOrganization();
    const [ada, bo] = [organization.register(), organization.register()];
    const privacy = { inviteOnly: true, historyPublicToSubscribers: true, isWebPublic: false };
    const hidden = createChannel(organization, [bo], { privacy });
    const outcomes = [hidden, hidden + 1].map((id) =>
      refusal(() => decideSendMessage(hello, sending(organization, ada, toChannel(id)))),
    );
    expect(outcomes).toEqual(['unknownChannelId', 'unknownChannelId']);
  });

  it('asks for the right to mention everyone only where there are many', () => {
    const organization = new TestOrganization();
    const people = Array.from({ length: 16 }, () => organization.register());
    const boss = organization.register({ role: 200 });
    const few = createChannel(organization, people.slice(0, 15));
    const many = createChannel(organization, [...people, boss]);
    const everyone = { content: 'look @**all**', readBySender: false };
    const send = (sender: number, channel: number): string | null =>
      refusal(() => decideSendMessage(everyone, sending(organization, sender, toChannel(channel))));
    expect(send(people[0]!, few)).toBeNull();
    expect(send(people[0]!, many)).toBe('channelWildcardNotAllowed');
    expect(send(boss, many)).toBeNull();
  });

  it('asks for the right to mention a whole topic only where many took part', () => {
    const organization = new TestOrganization();
    const ada = organization.register();
    const facts = sending(organization, ada, toChannel(createChannel(organization, [ada])));
    const content = { content: '@**topic** ready?', readBySender: false };
    const sendAmong = (others: number): string | null => {
      const topicParticipantIds = Array.from({ length: others }, (_, index) => ada + 1 + index);
      return refusal(() => decideSendMessage(content, { ...facts, topicParticipantIds }));
    };
    expect(sendAmong(14)).toBeNull();
    expect(sendAmong(15)).toBe('topicWildcardNotAllowed');
  });

  it('notes who took part in a topic that it mentions as a whole, its sender among them', () => {
    const organization = new TestOrganization();
    const [ada, bo] = [organization.register(), organization.register()];
    const facts = sending(organization, bo, toChannel(createChannel(organization, [ada, bo])));
    const mentionsOf = (content: string): Mentions =>
      decideSendMessage({ content, readBySender: false }, { ...facts, topicParticipantIds: [ada] }).data
        .mentions;
    expect(mentionsOf('@**topic** ready?')).toMatchObject({ topicParticipantIds: [ada, bo] });
    expect(mentionsOf('ready?')).not.toHaveProperty('topicParticipantIds');
  });

  it('lets people who may not start topics write in existing ones only; whether a topic is new is looked up for them and for people who follow topics that they start', () => {
    const organization = new TestOrganization();
    const ada = organization.register();
    const boss = organization.register({ role: 200 });
    const channel = createChannel(organization, [ada, boss], {
      permissions: {
        ...ordinaryChannel.permissions,
        can_create_topic_group: { direct_members: [boss], direct_subgroups: [] },
      },
    });
    const send = (sender: number, isNewConversation: boolean): string | null =>
      refusal(() =>
        decideSendMessage(hello, {
          ...sending(organization, sender, toChannel(channel)),
          isNewConversation,
        }),
      );
    expect([send(ada, true), send(ada, false), send(boss, true)]).toEqual(['newTopicNotAllowed', null, null]);
    const matters = (sender: number): boolean =>
      mattersWhetherNew(sending(organization, sender, toChannel(channel)));
    const never = { setting: 'automatically_follow_topics_policy', value: 4 };
    for (const userId of [ada, boss]) {
      expect(matters(userId)).toBe(true);
      organization.log.append(`user-${userId}`, [{ type: 'UserSettingChanged', data: { userId, ...never } }]);
    }
    expect([matters(ada), matters(boss)]).toEqual([true, false]);
  });

  it('refuses a direct message to a deactivated account', () => {
    const organization = new TestOrganization();
    const [ada, bo] = [organization.register(), organization.register()];
    organization.happened({ type: 'UserDeactivated', data: { userId: bo } });
    const direct: Recipient = { type: 'direct', userIds: [ada, bo] };
    expect(refusal(() => decideSendMessage(hello, sending(organization, ada, direct)))).toBe(
      'recipientDeactivated',
    );
  });

  it('keeps the empty topic out of channels that require topics', () => {
    const organization = new TestOrganization({ topics_policy: 'disable_empty_topic' });
    const ada = organization.register();
    const strict = createChannel(organization, [ada]);
    const lenient = createChannel(organization, [ada], { topicsPolicy: 'allow_empty_topic' });
    const send = (channel: number): string | null =>
      refusal(() => decideSendMessage(hello, sending(organization, ada, toChannel(channel, ''))));
    expect([send(strict), send(lenient)]).toEqual(['topicRequired', null]);
  });

  it('lets bots post where their owner may', () => {
    const organization = new TestOrganization();
    const ada = organization.register();
    const bot = organization.register({ bot: { type: 1, ownerId: ada, isSystem: false } });
    const stray = organization.register({
      bot: { type: 1, ownerId: organization.register(), isSystem: false },
    });
    const privacy = { inviteOnly: true, historyPublicToSubscribers: true, isWebPublic: false };
    const channel = createChannel(organization, [ada], { privacy });
    const send = (sender: number): string | null =>
      refusal(() => decideSendMessage(hello, sending(organization, sender, toChannel(channel))));
    expect([send(bot), send(stray)]).toEqual([null, 'unknownChannelId']);
  });
});

function sentBy(senderId: number, recipient: Recipient): Message {
  return {
    id: 41,
    senderId,
    recipient,
    content: 'first',
    key: 'key',
    sentAt: atTheTime,
    isDeleted: false,
    edits: 0,
    reactions: [],
    submessages: { count: 0, length: 0, isOpen: false, widget: null },
  };
}

/** A request to edit with only these fields. */
function asking(given: Partial<EditRequest>): EditRequest {
  return {
    content: undefined,
    previousContentSha256: undefined,
    topic: undefined,
    channelId: undefined,
    mode: 'change_one',
    notify: { oldThread: false, newThread: true },
    ...given,
  };
}

function editing(organization: TestOrganization, editor: number, now = atTheTime): EditFacts {
  const place = { _id: 41, channelId: 1, topic: 'engines', timestamp: atTheTime / 1000 };
  const snapshot = organization.snapshot(now);
  return {
    snapshot,
    editor: organization.user(editor),
    place,
    sha256,
    topicParticipantIds: [],
    uploads: noUploads,
    move: null,
  };
}

describe('editing a message', () => {
  const organization = new TestOrganization();
  const ada = organization.register();
  const administrator = organization.register({ role: 200 });
  const channel = createChannel(organization, [ada, administrator]);
  const message = sentBy(ada, toChannel(channel));
  const edit = (
    request: { readonly content: string; readonly previousContentSha256?: string },
    { editor = ada, now = atTheTime, edited = message } = {},
  ): EventOf<typeof MessageEdited> =>
    decideEditMessage(edited, { ...asking({}), ...request }, editing(organization, editor, now));

  it('replaces the text under the key of the message', () => {
    expect(edit({ content: 'second' })).toMatchObject({
      type: 'MessageEdited',
      data: { messageId: 41, senderId: ada, messageKey: 'key', content: 'second' },
    });
  });

  it('comes to an end', () => {
    const { max } = budgets.editsOfMessage;
    const refusals = [max - 1, max].map((edits) =>
      refusal(() => edit({ content: 'second' }, { edited: { ...message, edits } })),
    );
    expect(refusals).toEqual([null, 'tooManyEdits']);
  });

  it('is allowed to the sender only, not to other people of any role', () => {
    expect(refusal(() => edit({ content: 'second' }, { editor: administrator }))).toBe('editNotAllowed');
  });

  it('ends with the limit and its twenty seconds of grace', () => {
    const limit = 10 * minutes + 20_000;
    expect(refusal(() => edit({ content: 'second' }, { now: atTheTime + limit }))).toBeNull();
    expect(refusal(() => edit({ content: 'second' }, { now: atTheTime + limit + 1 }))).toBe(
      'editTimeLimitPassed',
    );
  });

  it('fails when the text is not what the client believes it to be', () => {
    expect(refusal(() => edit({ content: 'second', previousContentSha256: sha256('first') }))).toBeNull();
    expect(refusal(() => edit({ content: 'second', previousContentSha256: sha256('other') }))).toBe(
      'expectationMismatch',
    );
  });

  it('keeps a placeholder for an emptied text', () => {
    expect(edit({ content: '  ' }).data.content).toBe('(deleted)');
  });

  it('counts also when the text stays the same', () => {
    expect(edit({ content: 'first' })).not.toBeNull();
  });

  it('needs something to change', () => {
    expect(refusal(() => decideMoveMessage(message, asking({}), editing(organization, ada)))).toBe(
      'nothingToChange',
    );
  });

  it('answers for a deleted message as for none', () => {
    expect(refusal(() => edit({ content: 'second' }, { edited: { ...message, isDeleted: true } }))).toBe(
      'invalidMessage',
    );
  });

  it('is refused once something is attached to the message', () => {
    const edited = { ...message, submessages: { count: 1, length: 2, isOpen: true, widget: null } };
    expect(refusal(() => edit({ content: 'second' }, { edited }))).toBe('widgetNotEditable');
  });

  it('stops when the organization turns it off', () => {
    const silent = new TestOrganization({ allow_message_editing: false });
    const bo = silent.register();
    const mine = sentBy(bo, toChannel(createChannel(silent, [bo])));
    const request = { ...asking({}), content: 'second' };
    expect(refusal(() => decideEditMessage(mine, request, editing(silent, bo)))).toBe('editingTurnedOff');
  });
});

describe('deleting a message', () => {
  const organization = new TestOrganization();
  const ada = organization.register();
  const bot = organization.register({ bot: { type: 1, ownerId: ada, isSystem: false } });
  const channel = createChannel(organization, [ada]);
  const remove = (actor: number, senderId: number, now = atTheTime): string | null => {
    const facts = { snapshot: organization.snapshot(now), user: organization.user(actor) };
    return refusal(() => decideDeleteMessage(sentBy(senderId, toChannel(channel)), facts));
  };
  const [owner, administrator, moderator, member, guest] = ([100, 200, 300, 400, 600] as const).map((role) =>
    organization.register({ role }),
  ) as [number, number, number, number, number];

  it.each([
    ['an owner', owner, null],
    ['an administrator', administrator, null],
    ['a moderator', moderator, 'deleteNotAllowed'],
    ['a member', member, 'deleteNotAllowed'],
    ['a guest', guest, 'deleteNotAllowed'],
    ['a bot', bot, 'deleteNotAllowed'],
    ['the sender', ada, null],
  ])('by %s', (_who, actor, expected) => {
    expect(remove(actor, ada)).toBe(expected);
  });

  it('is the owner’s right for what their bot sent', () => {
    expect(remove(ada, bot)).toBeNull();
  });

  it('ends for senders with the limit, without grace, and not for administrators', () => {
    expect(remove(ada, ada, atTheTime + 10 * minutes)).toBeNull();
    expect(remove(ada, ada, atTheTime + 10 * minutes + 1)).toBe('deleteTimeLimitPassed');
    expect(remove(administrator, ada, atTheTime + 60 * minutes)).toBeNull();
  });

  it('happens once', () => {
    const facts = { snapshot: organization.snapshot(), user: organization.user(owner) };
    const gone = { ...sentBy(ada, toChannel(channel)), isDeleted: true };
    expect(refusal(() => decideDeleteMessage(gone, facts))).toBe('invalidMessage');
  });
});

describe('the text of a message', () => {
  it('loses trailing blanks and leading newlines, and keeps its indentation', () => {
    expect(normalizeContent('\n\n  indented \n\n')).toBe('  indented');
    expect(normalizeContent('\n  \n \n    code')).toBe('  \n \n    code');
    expect(normalizeContent(' \n \n ')).toBe('');
  });

  it('is cut at 10,000 code points with a note', () => {
    const cut = normalizeContent('🙂'.repeat(10_001));
    expect([...cut]).toHaveLength(10_000);
    expect(cut.endsWith('\n[message truncated]')).toBe(true);
    expect(normalizeContent('🙂'.repeat(10_000))).toBe('🙂'.repeat(10_000));
  });

  it('holds no NUL', () => {
    expect(refusal(() => normalizeContent('a\0b'))).toBe('messageHoldsNullBytes');
  });
});

describe('a topic', () => {
  it.each([
    ['  engines ', 'engines'],
    ['(no topic)', ''],
    ['general chat', ''],
    ['', ''],
    ['x'.repeat(61), `${'x'.repeat(57)}...`],
  ])('%j is kept as %j', (sent, kept) => {
    expect(normalizeTopic(sent)).toBe(kept);
  });

  it('holds no unprintable character', () => {
    expect(refusal(() => normalizeTopic('a\u0007b'))).toBe('topicUnprintable');
  });
});
