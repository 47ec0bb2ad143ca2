import { budgets } from '../../src/kernel/budgets.js';
import { describe, expect, it } from '@jest/globals';
import { noCustomEmoji } from '../../src/access/records/custom-emoji.js';
import {
  decideAddReaction,
  decideRemoveReaction,
} from '../../src/contexts/messages/reactions/reactions.decide.js';
import type { EmojiRequest, NamedEmojiRequest } from '../../src/access/emoji.js';
import {
  type MessageEvent,
  type MessageSent,
  MESSAGES_STREAM,
  messageStream,
} from '../../src/events/messages.js';
import { messageFold, type Message, type MessageChange } from '../../src/contexts/messages/message.state.js';
import type { EventOf } from '../../src/kernel/event.js';
import { refusal, TestLog } from '../support/given.js';

const [ada, bo] = [7, 8];
const octopus = { name: 'octopus', code: '1f419', type: 'unicode_emoji' } as const;

/** A message with these reactions, and further decisions about it. */
class ReactedMessage {
  private readonly log = new TestLog();
  private readonly fold;

  constructor() {
    const [sent] = this.log.append<EventOf<typeof MessageSent>>(MESSAGES_STREAM, [
      {
        type: 'MessageSent',
        data: {
          senderId: ada,
          recipient: { type: 'direct', userIds: [ada, bo] },
          content: 'hello',
          references: {},
          mentions: { userIds: [], groups: [], channelWildcard: false, topicWildcard: false },
          readBySender: true,
        },
      },
    ]);
    this.fold = messageFold(sent!);
  }

  get state(): Message {
    return this.log.fold<Message, MessageChange>(this.fold, messageStream(1));
  }

  add(userId: number, request: NamedEmojiRequest): this {
    return this.happened(decideAddReaction(this.state, request, { userId, custom: noCustomEmoji }));
  }

  remove(userId: number, request: EmojiRequest): this {
    return this.happened(decideRemoveReaction(this.state, request, { userId, custom: noCustomEmoji }));
  }

  happened(events: readonly MessageEvent[]): this {
    this.log.append(messageStream(1), events);
    return this;
  }

  get reactions(): readonly (readonly [number, string])[] {
    return this.state.reactions.map(({ userId, emoji }) => [userId, emoji.name]);
  }
}

const reacted = (): ReactedMessage => new ReactedMessage();

describe('adding a reaction', () => {
  it('finds the code by the name', () => {
    const [event] = decideAddReaction(
      reacted().state,
      { name: 'octopus' },
      { userId: bo, custom: noCustomEmoji },
    );
    expect(event).toEqual({
      type: 'ReactionAdded',
      data: { messageId: 1, userId: bo, emoji: octopus },
    });
  });

  it('keeps the order, oldest first', () => {
    const message = reacted()
      .add(bo, { name: 'octopus' })
      .add(ada, { name: 'tada' })
      .add(ada, { name: 'octopus' });
    expect(message.reactions).toEqual([
      [bo, 'octopus'],
      [ada, 'tada'],
      [ada, 'octopus'],
    ]);
  });

  it('joins in under the name that the emoji was first given', () => {
    const message = reacted().add(ada, { name: '+1' }).add(bo, { name: 'thumbs_up' });
    expect(message.reactions).toEqual([
      [ada, '+1'],
      [bo, '+1'],
    ]);
  });

  it('joins an existing reaction by its code, under any name', () => {
    const message = reacted().add(ada, { name: 'octopus' }).add(bo, { name: 'squid', code: '1f419' });
    expect(message.reactions).toEqual([
      [ada, 'octopus'],
      [bo, 'octopus'],
    ]);
  });

  it.each([
    ['the same name', { name: '+1' }],
    ['another name of the same emoji', { name: 'thumbs_up' }],
    ['the same code', { name: '+1', code: '1f44d' }],
  ])('happens once for each person: %s is refused', (_what, request) => {
    const { state } = reacted().add(bo, { name: '+1' });
    expect(refusal(() => decideAddReaction(state, request, { userId: bo, custom: noCustomEmoji }))).toBe(
      'reactionAlreadyExists',
    );
  });

  it.each<readonly [string, NamedEmojiRequest, string | null]>([
    ['an unknown name', { name: 'no_such_emoji' }, 'unknownEmoji'],
    ['a name that objects have of themselves', { name: 'constructor' }, 'unknownEmoji'],
    ['an unknown code', { name: 'octopus', code: 'ffff' }, 'invalidEmojiCode'],
    ['a code of another emoji', { name: 'octopus', code: '1f44d' }, 'invalidEmojiName'],
    ['name and code of one emoji', { name: 'octopus', code: '1f419' }, null],
    ['a built-in emoji as a custom one', { name: 'octopus', type: 'realm_emoji' }, 'invalidCustomEmoji'],
    ['a custom emoji that is none', { name: 'x', code: '1', type: 'realm_emoji' }, 'invalidCustomEmoji'],
    [
      'a Unicode emoji as the extra one',
      { name: 'octopus', type: 'service_extra_emoji' },
      'invalidEmojiCode',
    ],
    ['the extra emoji by its name', { name: 'zulip' }, null],
    ['the extra emoji by name and code', { name: 'zulip', code: 'zulip' }, null],
    ['the extra emoji', { name: 'zulip', code: 'zulip', type: 'service_extra_emoji' }, null],
    [
      'the extra emoji by another name',
      { name: 'octopus', code: 'zulip', type: 'service_extra_emoji' },
      'invalidEmojiName',
    ],
  ])('with %s', (_what, request, expected) => {
    expect(
      refusal(() => decideAddReaction(reacted().state, request, { userId: bo, custom: noCustomEmoji })),
    ).toBe(expected);
  });

  it('stores the extra emoji of the service under its own type', () => {
    const [event] = decideAddReaction(
      reacted().state,
      { name: 'zulip' },
      { userId: bo, custom: noCustomEmoji },
    );
    expect(event?.data.emoji).toEqual({ name: 'zulip', code: 'zulip', type: 'service_extra_emoji' });
  });

  it('is refused by a message that holds as many as it may', () => {
    const { state } = reacted();
    const reactions = Array.from({ length: budgets.reactions.max }, (_, userId) => ({
      userId,
      emoji: octopus,
    }));
    const add = (message: Message): string | null =>
      refusal(() =>
        decideAddReaction(message, { name: 'octopus' }, { userId: 99_999, custom: noCustomEmoji }),
      );
    expect(add({ ...state, reactions })).toBe('tooManyReactions');
    expect(add({ ...state, reactions: reactions.slice(1) })).toBeNull();
  });
});

describe('taking a reaction back', () => {
  it.each<readonly [string, EmojiRequest]>([
    ['its name', { name: '+1' }],
    ['another name of the same emoji', { name: 'thumbs_up' }],
    ['its code alone', { code: '1f44d' }],
  ])('by %s', (_what, request) => {
    const message = reacted().add(bo, { name: '+1' }).add(ada, { name: '+1' }).remove(bo, request);
    expect(message.reactions).toEqual([[ada, '+1']]);
  });

  it('makes room for giving it again', () => {
    const message = reacted().add(bo, { name: '+1' }).remove(bo, { name: '+1' }).add(bo, { name: '+1' });
    expect(message.reactions).toEqual([[bo, '+1']]);
  });

  it.each<readonly [string, EmojiRequest, string]>([
    ['one that only another gave', { name: 'octopus' }, 'reactionDoesNotExist'],
    ['one that nobody gave', { name: 'tada' }, 'reactionDoesNotExist'],
    ['the same code of another type', { code: '1f44d', type: 'realm_emoji' }, 'reactionDoesNotExist'],
    ['one with an unknown name', { name: 'no_such_emoji' }, 'unknownEmoji'],
    ['one without a name', {}, 'emojiRequired'],
  ])('refuses %s', (_what, request, expected) => {
    const { state } = reacted().add(ada, { name: 'octopus' }).add(bo, { name: '+1' });
    expect(refusal(() => decideRemoveReaction(state, request, { userId: bo, custom: noCustomEmoji }))).toBe(
      expected,
    );
  });
});

it('answers for a deleted message as for none', () => {
  const { state } = reacted()
    .add(bo, { name: '+1' })
    .happened([{ type: 'MessageDeleted', data: { messageId: 1, senderId: null, recipient: null } }]);
  expect(
    refusal(() => decideAddReaction(state, { name: 'tada' }, { userId: bo, custom: noCustomEmoji })),
  ).toBe('invalidMessage');
  expect(
    refusal(() => decideRemoveReaction(state, { name: '+1' }, { userId: bo, custom: noCustomEmoji })),
  ).toBe('invalidMessage');
});
