import { describe, expect, it } from '@jest/globals';
import {
  allowTopic,
  decideMove,
  type MovableMessages,
  type MoveFacts,
} from '../../src/contexts/messages/moves/moves.decide.js';
import { intendedMove, type MoveRequest } from '../../src/contexts/messages/moves/intended-move.js';
import type { MoveEvent } from '../../src/events/message-moves.js';
import type { OrganizationPermissions } from '../../src/events/values/organization-permissions.js';
import type { OrganizationSettings } from '../../src/events/values/organization-settings.js';
import { budgets } from '../../src/kernel/budgets.js';
import type { Role } from '../../src/events/users.js';
import { createChannel, ordinaryChannel } from '../support/channels.js';
import { atTheTime, refusal } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';

const week = 7 * 86_400;
const grace = 20;
const nobody = 8;

interface Situation {
  readonly topic: string;
  readonly role: Role;
  /** Seconds since the message was sent. */
  readonly age: number;
  readonly settings: Partial<OrganizationSettings>;
  readonly permissions: Partial<OrganizationPermissions>;
  readonly channelPermissions: Partial<typeof ordinaryChannel.permissions>;
  readonly movable: MovableMessages | null;
  readonly isNewTopic: boolean;
  readonly earlierMoves: number;
}

/** Decides a request of a channel's subscriber to change the topic of another person's message. */
function move(wanted: string, request: Partial<MoveRequest>, given: Partial<Situation> = {}): MoveEvent {
  const { topic = 'looms', role = 400, age = 0, movable = null, isNewTopic = true, earlierMoves = 0 } = given;
  const organization = new TestOrganization(given.settings, given.permissions);
  const actor = organization.register({ role });
  const channelId = createChannel(organization, [actor], {
    permissions: { ...ordinaryChannel.permissions, ...given.channelPermissions },
  });
  const place = { _id: 41, channelId, topic, timestamp: atTheTime / 1000 - age };
  const facts: MoveFacts = {
    snapshot: organization.snapshot(),
    actor: organization.user(actor),
    place,
    targetRevision: -1,
    visible: null,
    earlierMoves,
    isNewTopic,
    movable,
  };
  const whole: MoveRequest = {
    topic: wanted,
    channelId: undefined,
    mode: 'change_one',
    notify: { oldThread: false, newThread: true },
    ...request,
  };
  const intended = intendedMove(whole, place);
  if (intended === null) throw new Error('Nothing is to move');
  return decideMove(intended, whole, { ...facts, ...allowTopic(intended, whole, facts) });
}

function outcome(...given: Parameters<typeof move>): string | null {
  return refusal(() => move(...given));
}

describe('a move', () => {
  it.each([
    ['change_one', { after: 40, through: 41 }],
    ['change_later', { after: 40, through: null }],
    ['change_all', { after: 0, through: null }],
  ] as const)('by %s says what it takes along, never which messages', (mode, bounds) => {
    expect(move('weaving', { mode })).toEqual({
      type: 'MessagesMoved',
      data: {
        messageId: 41,
        mode,
        selection: { channelId: 1, topic: 'looms', bounds, visible: null },
        newTopic: 'weaving',
        newChannel: null,
        notify: { oldThread: false, newThread: true },
      },
    });
  });

  it.each([
    ['looms', '✔ looms', 'TopicResolved'],
    ['looms', '✔ Looms', 'MessagesMoved'],
    ['✔ looms', 'looms', 'TopicUnresolved'],
    ['✔ ✔✔ looms', 'looms', 'TopicUnresolved'],
    ['✔ looms', 'weaving', 'MessagesMoved'],
    ['✔ looms', '✔ ✔ looms', 'MessagesMoved'],
    ['x'.repeat(60), `✔ ${'x'.repeat(60)}`, 'TopicResolved'],
  ])('from %j to %j is %s', (topic, wanted, type) => {
    expect(move(wanted, {}, { topic }).type).toBe(type);
  });

  it('is not made if the topic stays the same after it is trimmed and shortened', () => {
    const intended = (topic: string, present: string): unknown =>
      intendedMove({ topic, channelId: undefined }, { channelId: 1, topic: present });
    expect(intended('x'.repeat(61), `${'x'.repeat(57)}...`)).toBeNull();
    expect(intended(' looms ', 'looms')).toBeNull();
    expect(intended('Looms', 'looms')).not.toBeNull();
    expect(intended('general chat', '')).toBeNull();
  });
});

it('A message can be moved a maximum number of times', () => {
  const { max } = budgets.movesOfMessage;
  expect([max - 1, max].map((earlierMoves) => outcome('weaving', {}, { earlierMoves }))).toEqual([
    null,
    'tooManyMoves',
  ]);
  expect(outcome('✔ looms', { mode: 'change_all' }, { earlierMoves: max })).toBe('tooManyMoves');
});

describe('who may move messages', () => {
  it.each([
    ['an owner', 100],
    ['an administrator', 200],
    ['a moderator', 300],
    ['a member', 400],
    ['a guest', 600],
  ] as const)('%s may unless the organization says otherwise', (_who, role) => {
    expect(outcome('weaving', {}, { role })).toBeNull();
    const permissions = { can_move_messages_between_topics_group: nobody };
    const mayAnyway = role <= 200;
    expect(outcome('weaving', {}, { role, permissions })).toBe(mayAnyway ? null : 'topicEditNotAllowed');
  });

  it('is also for the channel to say', () => {
    const permissions = { can_move_messages_between_topics_group: nobody };
    const channelPermissions = { can_move_messages_within_channel_group: 2 };
    expect(outcome('weaving', {}, { permissions, channelPermissions })).toBeNull();
  });

  it('is another question than who may resolve topics', () => {
    const permissions = { can_resolve_topics_group: nobody };
    expect(outcome('✔ looms', {}, { permissions })).toBe('resolvingNotAllowed');
    expect(outcome('weaving', {}, { permissions })).toBeNull();
    const channelPermissions = { can_resolve_topics_group: 2 };
    expect(outcome('✔ looms', {}, { permissions, channelPermissions })).toBeNull();
    const immovable = { can_move_messages_between_topics_group: nobody };
    expect(outcome('✔ looms', {}, { permissions: immovable })).toBeNull();
  });

  it('is limited for new topics', () => {
    const channelPermissions = { can_create_topic_group: nobody };
    expect(outcome('weaving', {}, { channelPermissions })).toBe('newTopicNotAllowed');
    expect(outcome('weaving', {}, { channelPermissions, isNewTopic: false })).toBeNull();
    expect(outcome('✔ looms', {}, { channelPermissions })).toBeNull();
    expect(outcome('looms', {}, { channelPermissions, topic: '✔ looms' })).toBeNull();
  });
});

describe('the time limit of moves', () => {
  it.each(['change_one', 'change_later'] as const)('is the age of the message for %s, with grace', (mode) => {
    expect(outcome('weaving', { mode }, { age: week + grace })).toBeNull();
    expect(outcome('weaving', { mode }, { age: week + grace + 1 })).toBe('moveTimeLimitPassed');
  });

  it('does not apply to moderators, to resolving a topic, or if the organization has set none', () => {
    const age = 100 * week;
    expect(outcome('weaving', {}, { age, role: 300 })).toBeNull();
    expect(outcome('✔ looms', {}, { age })).toBeNull();
    const settings = { move_messages_within_stream_limit_seconds: null };
    expect(outcome('weaving', {}, { age, settings })).toBeNull();
  });

  it('gives an error with the number of messages that may still move when part of a topic is too old', () => {
    const all = { mode: 'change_all' } as const;
    const age = 2 * week;
    const some = { total: 5, allowed: 2, firstAllowedId: 44 };
    let error: unknown;
    try {
      move('weaving', all, { age, movable: some });
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      status: 400,
      fields: {
        first_message_id_allowed_to_move: 44,
        total_messages_in_topic: 5,
        total_messages_allowed_to_move: 2,
      },
    });
    const none = { total: 5, allowed: 0, firstAllowedId: null };
    expect(outcome('weaving', all, { age, movable: none })).toBe('moveManyTimeLimitPassed');
    const every = { total: 5, allowed: 5, firstAllowedId: null };
    expect(outcome('weaving', all, { age, movable: every })).toBeNull();
  });
});
