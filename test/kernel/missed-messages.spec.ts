import { describe, expect, it } from '@jest/globals';
import { visibilityPolicies, type VisibilityPolicy } from '../../src/events/attention.js';
import { decideHandled } from '../../src/contexts/missed-messages/missed-messages.decide.js';
import {
  notifiedSubscribers,
  whoMisses,
  type Audience,
} from '../../src/contexts/missed-messages/who-misses.decide.js';
import type { EventOf } from '../../src/kernel/event.js';
import type { MessageSent } from '../../src/events/messages.js';
import { createChannel } from '../support/channels.js';
import { atTheTime } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';

const organization = new TestOrganization();
const sender = organization.register();
const ada = organization.register();
const bo = organization.register();
const stranger = organization.register();
const channelId = createChannel(organization, [sender, ada, bo], { name: 'lab' });
const snapshot = organization.snapshot();

const noMentions = { userIds: [], groups: [], channelWildcard: false, topicWildcard: false };

type Message = EventOf<typeof MessageSent>['data'];

function message(mentions: Partial<Message['mentions']> = {}, direct: readonly number[] = []): Message {
  return {
    senderId: sender,
    recipient:
      direct.length > 0
        ? { type: 'direct', userIds: [...direct] }
        : { type: 'channel', channelId, topic: 'engines' },
    content: 'Note G',
    references: {},
    mentions: { ...noMentions, ...mentions },
    readBySender: true,
  };
}

const havingPolicy = (userId: number, policy: VisibilityPolicy): Audience['policies'] =>
  new Map([[userId, policy]]);

/** The people who are notified by mail and by push: ids and reasons. */
function told(sent: Message, audience: Partial<Audience> = {}): { mail: unknown[]; push: unknown[] } {
  const missed = whoMisses(41, sent, {
    snapshot,
    policies: new Map(),
    listeners: notifiedSubscribers(snapshot, channelId),
    isPresent: () => false,
    hasDevice: () => true,
    ...audience,
  });
  const lines = (list: readonly { userId: number; trigger: string }[] = []): unknown[] =>
    list.map(({ userId, trigger }) => [userId, trigger]);
  return { mail: lines(missed?.mail), push: lines(missed?.push) };
}

const both = (...lines: [number, string][]): { mail: unknown[]; push: unknown[] } => ({
  mail: lines,
  push: lines,
});

describe('a message is missed', () => {
  it('by everyone else in a direct conversation', () => {
    expect(told(message({}, [sender, ada, bo]))).toEqual(
      both([ada, 'direct_message'], [bo, 'direct_message']),
    );
  });

  it('by nobody in a channel whom it does not concern', () => {
    expect(told(message())).toEqual(both());
  });

  it('by those whom it mentions, themselves or by a group, if they are in the channel', () => {
    const groups = [{ groupId: 9, userIds: [bo, stranger] }];
    expect(told(message({ userIds: [ada, sender, stranger], groups }))).toEqual(
      both([ada, 'mentioned'], [bo, 'mentioned']),
    );
  });

  it('by everyone in a channel that it calls, save for those who muted the topic', () => {
    const policies = havingPolicy(bo, visibilityPolicies.muted);
    expect(told(message({ channelWildcard: true }), { policies })).toEqual(both([ada, 'wildcard_mentioned']));
  });

  it('by those who took part in a topic that it mentions as a whole', () => {
    const mentioned = { topicWildcard: true, topicParticipantIds: [sender, bo, stranger] };
    expect(told(message(mentioned))).toEqual(both([bo, 'wildcard_mentioned']));
    expect(told(message(mentioned), { policies: havingPolicy(bo, visibilityPolicies.muted) })).toEqual(
      both(),
    );
  });

  it('by those who follow the topic', () => {
    expect(told(message(), { policies: havingPolicy(bo, visibilityPolicies.followed) })).toEqual(
      both([bo, 'followed_topic']),
    );
    expect(told(message(), { policies: havingPolicy(bo, visibilityPolicies.unmuted) })).toEqual(both());
  });

  it('in e-mails only by those who are away, and on devices by those who have some', () => {
    const sent = message({}, [sender, ada, bo]);
    const direct = [ada, 'direct_message'];
    expect(told(sent, { isPresent: (id) => id === bo })).toEqual({
      mail: [direct],
      push: [direct, [bo, 'direct_message']],
    });
    expect(told(sent, { hasDevice: (id) => id === ada }).push).toEqual([direct]);
  });

  it('until its e-mail has waited as long as the person wants', () => {
    const missed = whoMisses(41, message({}, [sender, ada]), {
      snapshot,
      policies: new Map(),
      listeners: [],
      isPresent: () => false,
      hasDevice: () => false,
    });
    expect(missed).toEqual({
      messageId: 41,
      mail: [{ userId: ada, trigger: 'direct_message', dueAt: atTheTime + 120_000 }],
      push: [],
    });
  });
});

describe('an e-mail about missed messages', () => {
  const settling = { userId: ada, messageIds: [41, 43], settledIds: [41, 42, 43] };

  it('is written about those that are unread', () => {
    expect(decideHandled([], settling)).toEqual([{ type: 'MissedMessagesMailed', data: settling }]);
  });

  it('is not written where all were read', () => {
    expect(decideHandled([], { ...settling, messageIds: [] })).toEqual([
      { type: 'MissedMessagesPassed', data: { userId: ada, settledIds: [41, 42, 43] } },
    ]);
  });

  it('repeats nothing that was settled before', () => {
    expect(decideHandled([41], settling)).toEqual([
      { type: 'MissedMessagesMailed', data: { userId: ada, messageIds: [43], settledIds: [42, 43] } },
    ]);
    expect(decideHandled([41, 42, 43], settling)).toEqual([]);
  });
});
