import { about, type Make } from './world.js';

/** A time that does not come while a test runs, in seconds since the UNIX epoch. */
const LATER = 4_000_000_000;

/** Requests about what only one person has. */
export const personalRequests: readonly Make[] = [
  (random) => [
    'patch',
    'settings',
    random.one<Record<string, unknown>>(
      { full_name: random.name('Me') },
      { twenty_four_hour_time: random.chance(0.5) },
      { timezone: random.one('Europe/Rome', 'Asia/Tokyo', '') },
      { default_language: random.one('de', 'en') },
      { enable_drafts_synchronization: random.chance(0.8) },
      { email_address_visibility: random.one(1, 2, 3, 4, 5) },
      { presence_enabled: random.chance(0.5) },
      { web_font_size_px: random.one(14, 16) },
    ),
  ],
  (random, { people, others }) => [
    random.one('post', 'delete'),
    `users/me/muted_users/${random.one(...people, ...others)}`,
  ],
  (random) => [
    random.one('post', 'delete'),
    'users/me/alert_words',
    { alert_words: random.some(['brass', 'steam', 'coal']) },
  ],
  (random, world) =>
    about(random.pick(world.idsOf('custom_profile_fields')), (id) =>
      random.chance(0.7)
        ? ['patch', 'users/me/profile_data', { data: [{ id, value: random.name('Value') }] }]
        : ['delete', 'users/me/profile_data', { data: [id] }],
    ),
  (random, world) => {
    const to = [random.pick(world.channelIds) ?? 1];
    const draft = {
      type: 'stream',
      to,
      topic: 'engines',
      content: random.name('Draft'),
      timestamp: 1_700_000_000,
    };
    return ['post', 'drafts', { drafts: [draft] }];
  },
  (random, world) =>
    about(random.pick(world.keysOf('drafts')), (id) => {
      if (random.chance(0.5)) return ['delete', `drafts/${id}`];
      const draft = {
        type: 'private',
        to: random.some(world.people),
        topic: '',
        content: random.name('Draft'),
      };
      return ['patch', `drafts/${id}`, { draft: { ...draft, timestamp: 1_700_000_000 } }];
    }),
  (random, world) => {
    const message = { type: 'direct', to: random.some(world.people), content: random.name('Later') };
    return ['post', 'scheduled_messages', { ...message, scheduled_delivery_timestamp: LATER }];
  },
  (random, world) =>
    about(random.pick(world.keysOf('scheduled_messages')), (id) =>
      random.chance(0.5)
        ? ['delete', `scheduled_messages/${id}`]
        : ['patch', `scheduled_messages/${id}`, { content: random.name('Later') }],
    ),
  (random, world) =>
    about(world.recentMessage(random), ({ id: message_id }) => [
      'post',
      'reminders',
      { message_id, scheduled_delivery_timestamp: LATER, note: random.name('note') },
    ]),
  (random, world) => about(random.pick(world.keysOf('reminders')), (id) => ['delete', `reminders/${id}`]),
  (random) => ['post', 'saved_snippets', { title: random.name('Snippet'), content: 'x' }],
  (random, world) =>
    about(random.pick(world.keysOf('saved_snippets')), (id) =>
      random.chance(0.5)
        ? ['delete', `saved_snippets/${id}`]
        : ['patch', `saved_snippets/${id}`, { title: random.name('Snippet') }],
    ),
  (random) => {
    const fragment = random.one('inbox', 'recent', 'all', 'narrow/is/starred');
    return ['post', 'navigation_views', { fragment, is_pinned: random.chance(0.5) }];
  },
  (random, world) =>
    about(random.pick(world.keysOf('navigation_views')), (fragment) => {
      const path = `navigation_views/${encodeURIComponent(fragment)}`;
      return random.chance(0.4) ? ['delete', path] : ['patch', path, { is_pinned: random.chance(0.5) }];
    }),
  (random) => [
    'post',
    'users/me/onboarding_steps',
    { onboarding_step: random.one('visibility_policy_banner', 'intro_inbox_view_modal') },
  ],
];
