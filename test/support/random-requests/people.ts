import { about, type Make } from './world.js';

const botChange: Make = (random, world) =>
  about(random.pick(world.keysOf('realm_bots')), (id) => [
    'patch',
    `bots/${id}`,
    random.one<Record<string, unknown>>(
      { full_name: random.name('Bot') },
      { bot_owner_id: random.pick(world.people) },
      { default_sending_stream: random.pick(world.channelNames) ?? '' },
      { default_events_register_stream: random.pick(world.channelNames) ?? '' },
      { default_all_public_streams: random.chance(0.5) },
      { role: random.one(200, 400, 600) },
    ),
  ]);

/** Requests about accounts, bots and groups. */
export const peopleRequests: readonly Make[] = [
  (random) => {
    const full_name = random.name('Person');
    const email = `${full_name.toLowerCase().replace(' ', '-')}@example.com`;
    return ['post', 'users', { email, full_name, password: 'secret-of-somebody' }];
  },
  (random, { people, others }) =>
    about(random.pick([...people, ...others]), (id) => [
      'patch',
      `users/${id}`,
      { full_name: random.name('Renamed') },
    ]),
  (random, { others }) =>
    about(random.pick(others), (id) => ['patch', `users/${id}`, { role: random.one(200, 300, 400, 600) }]),
  (random, { people }) =>
    about(random.pick(people.slice(2)), (id) => [
      'patch',
      `users/${id}`,
      { role: random.one(200, 300, 400, 600) },
    ]),
  (random, { others }) =>
    about(random.pick(others), (id) => [
      'delete',
      `users/${id}`,
      random.chance(0.5) ? { actions: { delete_profile: true } } : {},
    ]),
  (random, { others }) => about(random.pick(others), (id) => ['post', `users/${id}/reactivate`]),
  (random, { others }) =>
    about(random.pick(others), (id) => ['post', `users/${id}/status`, { status_text: random.name('Away') }]),
  (random, { others }) =>
    about(random.pick(others), (id) => {
      const new_email = `${random.name('moved').replace(' ', '-')}@example.com`;
      return ['patch', `users/${id}`, { new_email }];
    }),
  (random) => {
    const full_name = random.name('Bot');
    const bot_type = random.one(1, 2, 3);
    const service = bot_type === 3 ? { payload_url: '"http://example.com/x"' } : {};
    return [
      'post',
      'bots',
      { full_name, short_name: full_name.toLowerCase().replace(' ', '-'), bot_type, ...service },
    ];
  },
  botChange,
  botChange,
  (random, world) => about(random.pick(world.keysOf('realm_bots')), (id) => ['delete', `bots/${id}`]),
  (random, world) =>
    about(random.pick(world.keysOf('realm_bots')), (id) => ['post', `users/${id}/reactivate`]),
  (random) => [
    'post',
    'users/me/status',
    random.one<Record<string, unknown>>(
      { status_text: random.name('Busy') },
      { status_text: '' },
      { emoji_name: 'car', emoji_code: '1f697', reaction_type: 'unicode_emoji' },
      { emoji_name: '' },
      { away: random.chance(0.5) },
    ),
  ],
  (random, world) => {
    const permissions = random.chance(0.4)
      ? { can_mention_group: world.groupValue(random), can_manage_group: world.groupValue(random) }
      : {};
    const subgroups = random.some(world.groups.map(({ id }) => id as number));
    const members = random.some(world.people);
    const group = { name: random.name('group'), description: 'Some', members, subgroups, ...permissions };
    return ['post', 'user_groups/create', group];
  },
  (random, world) =>
    about(random.pick(world.groups), ({ id }) => [
      'patch',
      `user_groups/${id}`,
      random.one<Record<string, unknown>>(
        { name: random.name('group') },
        { description: random.name('About') },
        { can_mention_group: { new: world.groupValue(random) } },
        { can_join_group: { new: world.groupValue(random) } },
        { deactivated: random.chance(0.3) },
      ),
    ]),
  (random, world) =>
    about(random.pick(world.groups), ({ id, members, direct_subgroup_ids: subgroups }) => [
      'post',
      `user_groups/${id}/members`,
      random.one<Record<string, unknown>>(
        { add: random.some([...world.people, ...world.others]) },
        { delete: random.some(members as number[]) },
        { add_subgroups: random.some(world.groups.map((group) => group['id'] as number)) },
        { delete_subgroups: random.some(subgroups as number[]) },
      ),
    ]),
  (random, world) =>
    random.chance(0.3)
      ? about(random.pick(world.groups), ({ id }) => ['post', `user_groups/${id}/deactivate`])
      : null,
];
