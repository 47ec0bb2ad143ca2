import { about, topics, type Make } from './world.js';

const subscribe: Make = (random, world) => {
  const name = random.chance(0.6) ? (random.pick(world.channelNames) ?? 'first') : random.name('channel');
  const principals = random.chance(0.5) ? { principals: random.some(world.people, 4) } : {};
  const history = random.chance(0.3) ? { history_public_to_subscribers: random.chance(0.5) } : {};
  const parameters = {
    subscriptions: [{ name }],
    invite_only: random.chance(0.4),
    ...principals,
    ...history,
  };
  return ['post', 'users/me/subscriptions', parameters];
};

const unsubscribe: Make = (random, world) => {
  const principals = random.chance(0.5) ? { principals: random.some(world.people, 2) } : {};
  return [
    'delete',
    'users/me/subscriptions',
    { subscriptions: random.some(world.channelNames, 2), ...principals },
  ];
};

const change: Make = (random, world) =>
  about(random.pick(world.channelIds), (id) => [
    'patch',
    `streams/${id}`,
    random.one<Record<string, unknown>>(
      { new_name: random.name('channel') },
      { description: random.name('**About**') },
      { is_private: random.chance(0.5) },
      { is_private: true, history_public_to_subscribers: random.chance(0.5) },
      { message_retention_days: random.one('"unlimited"', '"realm_default"') },
      { can_send_message_group: { new: world.groupValue(random) } },
      { can_subscribe_group: { new: world.groupValue(random) } },
      { can_add_subscribers_group: { new: world.groupValue(random) } },
      { can_administer_channel_group: { new: world.groupValue(random) } },
      {
        topics_policy: random.one('inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'),
      },
      { is_archived: random.chance(0.3) },
      { folder_id: random.one(null, ...world.keysOf('channel_folders')) },
      { is_default_stream: random.chance(0.7) },
    ),
  ]);

const changeOwn: Make = (random, world) =>
  about(random.pick(world.channelIds), (id) => [
    'patch',
    `users/me/subscriptions/${id}`,
    random.one<Record<string, unknown>>(
      { property: 'color', value: random.one('#ff0000', '#00ff00') },
      { property: 'is_muted', value: random.chance(0.5) },
      { property: 'in_home_view', value: random.chance(0.5) },
      { property: 'pin_to_top', value: random.chance(0.5) },
      { property: 'desktop_notifications', value: random.chance(0.5) },
    ),
  ]);

const topicPolicy: Make = (random, world) =>
  about(random.pick(world.channelIds), (stream_id) => [
    'post',
    'user_topics',
    { stream_id, topic: random.one(...topics), visibility_policy: random.one(0, 1, 2, 3) },
  ]);

/** Requests about channels, subscriptions and topics. */
export const channelRequests: readonly Make[] = [
  ...[subscribe, subscribe, subscribe, unsubscribe, unsubscribe],
  ...[change, change, change, change, change],
  ...[changeOwn, changeOwn, topicPolicy, topicPolicy],
  (random, world) => {
    const permissions = random.chance(0.5) ? { can_subscribe_group: world.groupValue(random) } : {};
    const subscribers = random.some(world.people);
    const channel = {
      name: random.name('made'),
      subscribers,
      invite_only: random.chance(0.4),
      ...permissions,
    };
    return ['post', 'channels/create', channel];
  },
  (random, world) =>
    random.chance(0.2) ? about(random.pick(world.channelIds), (id) => ['delete', `streams/${id}`]) : null,
  (random, world) =>
    about(random.pick(world.channelIds), (stream_id) => [
      random.one('post', 'delete'),
      'default_streams',
      { stream_id },
    ]),
  (random, world) => {
    const stream_names = random.some(world.channelNames, 2);
    return [
      'post',
      'default_stream_groups/create',
      { group_name: random.name('set'), description: 'x', stream_names },
    ];
  },
  (random) => ['post', 'channel_folders/create', { name: random.name('folder'), description: 'f' }],
  (random, world) =>
    about(random.pick(world.keysOf('channel_folders')), (id) => [
      'patch',
      `channel_folders/${id}`,
      random.one<Record<string, unknown>>(
        { name: random.name('folder') },
        { is_archived: random.chance(0.5) },
      ),
    ]),
  (_random, world) => ['patch', 'channel_folders', { order: [...world.keysOf('channel_folders')].reverse() }],
  (random, world) =>
    about(random.pick(world.channelIds), (id) => [
      'post',
      random.one(`streams/${id}/delete_topic`, 'mark_topic_as_read', 'mark_stream_as_read'),
      { stream_id: id, topic_name: random.one(...topics) },
    ]),
];
