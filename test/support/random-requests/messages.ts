import type { Random } from './random.js';
import { about, topics, type Make, type World } from './world.js';

const modes = ['change_one', 'change_later', 'change_all'] as const;

function content(random: Random, { groups }: World): string {
  const ofGroup = groups.map(({ name }) => `@*${String(name)}* hey`);
  return random.one(
    'Hello',
    'Hi @**member**',
    '@**all** look',
    '@**guest** and @**other**',
    '**bold**',
    ...ofGroup,
  );
}

const sendToChannel: Make = (random, world) =>
  about(random.pick(world.channelIds), (to) => [
    'post',
    'messages',
    { type: 'channel', to, topic: random.one(...topics), content: content(random, world) },
  ]);

const sendDirectly: Make = (random, world) => [
  'post',
  'messages',
  { type: 'direct', to: random.some(world.people), content: content(random, world) },
];

const edit: Make = (random, world) =>
  about(world.recentMessage(random), ({ id }) => [
    'patch',
    `messages/${id}`,
    { content: content(random, world) },
  ]);

const rename: Make = (random, world) =>
  about(world.recentMessage(random), ({ id }) => [
    'patch',
    `messages/${id}`,
    { topic: random.one(...topics), propagate_mode: random.one(...modes) },
  ]);

const move: Make = (random, world) =>
  about(world.recentMessage(random), ({ id }) => [
    'patch',
    `messages/${id}`,
    {
      stream_id: random.pick(world.channelIds) ?? 1,
      propagate_mode: random.one(...modes),
      ...(random.chance(0.4) ? { topic: random.one(...topics) } : {}),
    },
  ]);

const mark: Make = (random, world) => {
  const messages = random.some(
    world.messages.slice(-30).map(({ id }) => id),
    5,
  );
  const flag = random.one('read', 'read', 'starred', 'collapsed');
  return ['post', 'messages/flags', { messages, op: random.one('add', 'remove'), flag }];
};

const markNarrow: Make = (random) => {
  const narrow = random.one<object[]>(
    [],
    [{ operator: 'is', operand: 'unread' }],
    [{ operator: 'is', operand: 'dm' }],
  );
  const range = { anchor: 'newest', num_before: 20, num_after: 0, narrow };
  const change = { op: random.one('add', 'remove'), flag: random.one('read', 'starred') };
  return ['post', 'messages/flags/narrow', { ...range, ...change }];
};

/** Requests about messages: every third one sends one. */
export const messageRequests: readonly Make[] = [
  ...Array.from({ length: 12 }, () => sendToChannel),
  ...[sendDirectly, sendDirectly, sendDirectly],
  ...[edit, edit, edit, rename, rename, rename, move, move, move],
  ...[mark, mark, mark, mark, markNarrow, markNarrow],
  // Clients cannot know which message is the newest of a direct conversation then, so only those of channels are deleted.
  (random, world) =>
    about(world.messages.filter(({ topic }) => topic !== null).at(-random.one(1, 2, 3, 5, 8)), ({ id }) => [
      'delete',
      `messages/${id}`,
    ]),
  (random, world) =>
    about(world.recentMessage(random), ({ id }) => [
      random.one('post', 'delete'),
      `messages/${id}/reactions`,
      { emoji_name: 'car' },
    ]),
  (random) => (random.chance(0.3) ? ['post', 'mark_all_as_read'] : null),
];
