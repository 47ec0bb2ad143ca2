import { ada, bo, bot, guest, owner, type Part } from '../support/steps.js';

/** 2100-01-01, in seconds. */
const nextCentury = 4102444800;
const draft = {
  type: 'stream',
  to: ['$engines'],
  topic: 'notes',
  content: 'Note G is alm',
  timestamp: 1767225700,
};

/** Data of one person: settings, drafts, scheduled messages, snippets, navigation views, bot storage, uploads. */
export const personalRecords: Part = {
  name: '07-personal-records',
  steps: [
    ada.get('settings'),
    ada.patch('settings', { twenty_four_hour_time: true, default_language: 'de', timezone: 'Europe/Berlin' }),
    ada.patch('settings', { enter_sends: true, email_notifications_batching_period_seconds: 300 }),
    ada.patch('settings', { full_name: 'Ada, Countess' }),
    ada.patch('settings', { default_language: 'klingon' }),
    ada.patch('settings', { timezone: 'Mars/Olympus' }),
    ada.patch('settings', { old_password: 'wrong', new_password: 'another loom 1844' }),
    ada.patch('settings', { old_password: 'mauve loom 1843', new_password: 'another loom 1844' }),
    ada.patch('settings', { email: 'bo@example.com' }),
    ada.patch('settings', { no_such_setting: true }),
    ada.patch('settings', { color_scheme: 9 }),
    ada.patch('settings/display', { color_scheme: 2, web_font_size_px: 18 }),
    bo.patch('settings/notifications', {
      enable_stream_push_notifications: true,
      notification_sound: 'ding',
    }),
    bo.patch('settings/notifications', { notification_sound: 'gong' }),
    owner.patch('settings', { enter_sends: true, target_users: { user_ids: ['$boId'] } }),
    bo.patch('settings', { enter_sends: true, target_users: { user_ids: ['$adaId'] } }),
    ada.get('settings'),
    ada.post('zcommand', { command: '/dark' }),
    ada.post('zcommand', { command: '/ping' }),
    ada.post('zcommand', { command: '/dance' }),
    owner.get('realm/user_settings_defaults'),
    owner.patch('realm/user_settings_defaults', { twenty_four_hour_time: true, emojiset: 'twitter' }),
    owner.patch('realm/user_settings_defaults', { emojiset: 'crayons' }),
    ada.patch('realm/user_settings_defaults', { emojiset: 'twitter' }),
    ada.post('users/me/onboarding_steps', { onboarding_step: 'visibility_policy_banner' }),
    ada.post('users/me/onboarding_steps', { onboarding_step: 'no_such_step' }),

    ada
      .post('drafts', { drafts: [draft, { type: 'private', to: ['$boId'], topic: '', content: 'Psst' }] })
      .keep({ draft: 'ids.0', otherDraft: 'ids.1' }),
    ada.post('drafts', { drafts: [{ ...draft, to: [99999] }] }),
    ada.post('drafts', { drafts: [{ ...draft, type: 'pigeon' }] }),
    ada.get('drafts'),
    bo.get('drafts'),
    ada.patch('drafts/$draft', { draft: { ...draft, content: 'Note G is almost done' } }),
    bo.patch('drafts/$draft', { draft }),
    ada.patch('drafts/$draft'),
    ada.delete('drafts/$otherDraft'),
    ada.delete('drafts/$otherDraft'),

    ada
      .post('scheduled_messages', {
        type: 'channel',
        to: '$engines',
        topic: 'notes',
        content: 'A happy new century!',
        scheduled_delivery_timestamp: nextCentury,
      })
      .keep({ scheduled: 'scheduled_message_id' }),
    ada
      .post('scheduled_messages', {
        type: 'direct',
        to: ['$boId'],
        content: 'In an hour',
        scheduled_delivery_timestamp: 1767229200,
      })
      .keep({ soon: 'scheduled_message_id' }),
    ada.post('scheduled_messages', {
      type: 'direct',
      to: ['$boId'],
      content: 'Too late',
      scheduled_delivery_timestamp: 1000000000,
    }),
    ada.post('scheduled_messages', {
      type: 'channel',
      to: '$engines',
      content: 'No topic',
      scheduled_delivery_timestamp: nextCentury,
    }),
    guest.post('scheduled_messages', {
      type: 'channel',
      to: '$lab',
      topic: 'plans',
      content: 'Hidden',
      scheduled_delivery_timestamp: nextCentury,
    }),
    ada.get('scheduled_messages'),
    ada.patch('scheduled_messages/$scheduled', { content: 'A **happy** new century!', topic: 'centuries' }),
    ada.patch('scheduled_messages/$scheduled', { type: 'direct' }),
    bo.patch('scheduled_messages/$scheduled', { content: 'Mine' }),
    ada.delete('scheduled_messages/$scheduled'),
    ada.delete('scheduled_messages/$scheduled'),

    bo
      .post('reminders', {
        message_id: '$note',
        scheduled_delivery_timestamp: 1767232800,
        note: 'Read it again',
      })
      .keep({ reminder: 'reminder_id' }),
    bo
      .post('reminders', { message_id: '$praise', scheduled_delivery_timestamp: nextCentury })
      .keep({ otherReminder: 'reminder_id' }),
    bo.post('reminders', { message_id: '$plans', scheduled_delivery_timestamp: nextCentury }),
    bo.post('reminders', { message_id: '$note', scheduled_delivery_timestamp: 1 }),
    bo.post('reminders', {
      message_id: '$note',
      scheduled_delivery_timestamp: nextCentury,
      note: 'x'.repeat(501),
    }),
    bo.get('reminders').after(1),
    bo.delete('reminders/$otherReminder'),
    ada.delete('reminders/$reminder'),

    ada
      .post('saved_snippets', { title: 'Sign-off', content: 'Best, Ada' })
      .keep({ snippet: 'saved_snippet_id' }),
    ada.post('saved_snippets', { title: '', content: 'Best, Ada' }),
    ada.patch('saved_snippets/$snippet', { title: 'Farewell', content: 'Yours, Ada' }),
    bo.patch('saved_snippets/$snippet', { title: 'Mine' }),
    ada.get('saved_snippets'),
    ada.delete('saved_snippets/$snippet'),
    ada.delete('saved_snippets/$snippet'),

    ada.post('navigation_views', { fragment: 'narrow/has/link', is_pinned: true, name: 'Links' }),
    ada.post('navigation_views', { fragment: 'narrow/has/link', is_pinned: true, name: 'Other links' }),
    ada.post('navigation_views', { fragment: 'inbox', is_pinned: false }),
    ada.post('navigation_views', { fragment: 'inbox', is_pinned: false, name: 'Mine' }),
    ada.get('navigation_views'),
    ada.patch('navigation_views/narrow%2Fhas%2Flink', { is_pinned: false, name: 'All links' }),
    ada.patch('navigation_views/nowhere', { is_pinned: false }),
    ada.delete('navigation_views/narrow%2Fhas%2Flink'),
    ada.delete('navigation_views/narrow%2Fhas%2Flink'),

    bot.put('bot_storage', { storage: { greeting: 'Hello', count: '7' } }),
    bot.put('bot_storage', { storage: { greeting: 7 } }),
    bot.get('bot_storage'),
    bot.get('bot_storage', { keys: ['greeting'] }),
    bot.get('bot_storage', { keys: ['nothing'] }),
    bot.delete('bot_storage', { keys: ['greeting'] }),
    bot.delete('bot_storage', { keys: ['greeting'] }),
    bot.delete('bot_storage'),
    ada.get('bot_storage'),

    ada.post('register_client_device').keep({ device: 'device_id' }),
    ada.post('mobile_push/register', {
      device_id: '$device',
      token_kind: 'fcm',
      token_id: 'dG9rZW4=',
      push_key_id: 7,
      push_key: Buffer.alloc(32, 7).toString('base64'),
      bouncer_public_key: 'public-key',
      encrypted_push_registration: 'sealed-token',
    }),
    ada.post('mobile_push/register', { device_id: '$device', push_key_id: 8, push_key: 'short' }),
    ada.post('mobile_push/register', { device_id: '$device' }),
    bo.post('mobile_push/register', {
      device_id: '$device',
      push_key_id: 8,
      push_key: Buffer.alloc(32, 8).toString('base64'),
    }),
    ada.post('mobile_push/e2ee/test_notification', { device_id: '$device' }),
    bo.post('mobile_push/e2ee/test_notification'),
    ada.post('users/me/apns_device_token', { token: 'c0ffee', appid: 'org.example.Looms' }),
    ada.post('users/me/apns_device_token', { token: 'c0ffee', appid: 'org.example.Looms' }),
    ada.post('users/me/apns_device_token', { token: 'coffee', appid: 'org.example.Looms' }),
    ada.post('users/me/android_gcm_reg_id', { token: 'fcm:token' }),
    bot.post('users/me/android_gcm_reg_id', { token: 'fcm:token' }),
    ada.post('mobile_push/test_notification'),
    ada.post('mobile_push/test_notification', { token: 'unheard of' }),
    bo.post('mobile_push/test_notification'),
    ada.delete('users/me/apns_device_token', { token: 'c0ffee' }),
    ada.delete('users/me/android_gcm_reg_id', { token: 'unheard of' }),
    ada.post('register', {
      fetch_event_types: [
        'device',
        'drafts',
        'scheduled_messages',
        'saved_snippets',
        'onboarding_steps',
        'navigation_views',
      ],
      event_types: ['heartbeat'],
    }),
    bo.post('remove_client_device', { device_id: '$device' }),
    ada.post('remove_client_device', { device_id: '$device' }),
  ],
};
