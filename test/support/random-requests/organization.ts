import { about, type Make } from './world.js';

const change: Make = (random, world) => [
  'patch',
  'realm',
  random.one<Record<string, unknown>>(
    { name: random.name('Organization') },
    { allow_message_editing: random.chance(0.7) },
    { message_content_edit_limit_seconds: random.one<unknown>('"unlimited"', 600) },
    { move_messages_between_streams_limit_seconds: random.one<unknown>('"unlimited"', 604_800) },
    { waiting_period_threshold: random.one(0, 3) },
    { topics_policy: random.one('allow_empty_topic', 'disable_empty_topic') },
    { can_create_public_channel_group: { new: world.groupValue(random) } },
    { can_create_private_channel_group: { new: world.groupValue(random) } },
    { can_invite_users_group: { new: world.groupValue(random) } },
    { can_access_all_users_group: { new: random.one(2, 3) } },
    { can_move_messages_between_topics_group: { new: world.groupValue(random) } },
    { can_manage_all_groups: { new: world.groupValue(random) } },
    { can_add_subscribers_group: { new: world.groupValue(random) } },
    { name_changes_disabled: random.chance(0.3) },
    { video_chat_provider: random.one(0, 1) },
    { gif_rating_policy: random.one(0, 5) },
    { message_retention_days: random.one<unknown>('"unlimited"', 3000) },
    { new_stream_announcements_stream_id: random.one(-1, ...world.channelIds) },
    { moderation_request_channel_id: random.one(-1, ...world.channelIds) },
    { jitsi_server_url: random.one('"https://jitsi.example.com"', '"default"') },
  ),
];

/** Requests about the organization and what belongs to it. */
export const organizationRequests: readonly Make[] = [
  ...[change, change, change, change, change],
  (random) => [
    'patch',
    'realm/user_settings_defaults',
    random.one<Record<string, unknown>>(
      { twenty_four_hour_time: random.chance(0.5) },
      { color_scheme: random.one(1, 2, 3) },
    ),
  ],
  (random) => [
    'post',
    'realm/profile_fields',
    { name: random.name('Field'), field_type: random.one(1, 2, 7, 8) },
  ],
  (random, world) =>
    about(random.pick(world.idsOf('custom_profile_fields')), (id) =>
      random.one(
        ['patch', `realm/profile_fields/${id}`, { name: random.name('Field') }],
        ['patch', 'realm/profile_fields', { order: [...world.idsOf('custom_profile_fields')].reverse() }],
        ['delete', `realm/profile_fields/${id}`],
      ),
    ),
  (random) => {
    const group = random.name('id').replace(' ', '_');
    return [
      'post',
      'realm/filters',
      { pattern: `#(?P<${group}>[0-9]+)`, url_template: `https://example.com/{${group}}` },
    ];
  },
  (random, world) =>
    about(random.pick(world.idsOf('realm_linkifiers')), (id) =>
      random.one(
        ['delete', `realm/filters/${id}`],
        [
          'patch',
          'realm/linkifiers',
          { ordered_linkifier_ids: [...world.idsOf('realm_linkifiers')].reverse() },
        ],
      ),
    ),
  (random) => [
    'post',
    'realm/playgrounds',
    { name: random.name('Play'), pygments_language: 'Python', url_template: 'https://example.com/{code}' },
  ],
  (random, world) =>
    about(random.pick(world.idsOf('realm_playgrounds')), (id) => ['delete', `realm/playgrounds/${id}`]),
  (random) => {
    const domain = `${random.name('domain').replace(' ', '-')}.example.com`;
    return ['post', 'realm/domains', { domain, allow_subdomains: random.chance(0.5) }];
  },
  (random, world) =>
    about(random.pick(world.keysOf('realm_domains')), (domain) =>
      random.chance(0.5)
        ? ['delete', `realm/domains/${domain}`]
        : ['patch', `realm/domains/${domain}`, { allow_subdomains: random.chance(0.5) }],
    ),
];
