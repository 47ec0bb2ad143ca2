import { languageCodes } from './languages.js';
import notificationSounds from './data/notification-sounds.json' with { type: 'json' };
import { choice, flag, quantity, sensitive, timeZone, type Setting, type ValueOf } from './setting-kinds.js';

const WEEK = 7 * 24 * 60 * 60;

/** Every setting of a person, with its values and its default. */
export const settingTable = {
  twenty_four_hour_time: flag(false, 'Show times in 24 hours.'),
  web_mark_read_on_scroll_policy: choice([1, 2, 3], '1 always, 2 only in conversation views, 3 never.'),
  web_channel_default_view: choice(
    [1, 2, 3, 4],
    '1 top topic in the channel, 2 channel feed, 3 list of topics, 4 top unread topic in the channel.',
  ),
  starred_message_counts: flag(true, 'Show how many messages are starred.'),
  receives_typing_notifications: flag(true, 'Be told who is typing.'),
  web_suggest_update_timezone: flag(true, 'Warn when the device is in another time zone than the profile.'),
  fluid_layout_width: flag(false, 'Use the full width for the centre panel.'),
  high_contrast_mode: flag(false, 'Reserved for accessibility.'),
  web_font_size_px: quantity(16, { from: 1, to: 100 }, 'Font size in pixels.'),
  web_line_height_percent: quantity(140, { from: 1, to: 1000 }, 'Line height in percent.'),
  color_scheme: choice([1, 2, 3], '1 automatic, 2 dark, 3 light.'),
  enable_drafts_synchronization: flag(true, 'Keep drafts on the server; turning it off deletes them there.'),
  translate_emoticons: flag(false, 'Turn emoticons of sent messages into emoji.'),
  display_emoji_reaction_users: flag(true, 'Show who reacted rather than how many.'),
  default_language: choice(languageCodes, 'Language of the interface and of e-mails.', 'en'),
  web_home_view: choice(['inbox', 'recent', 'all_messages'], 'Where the client starts.'),
  web_escape_navigates_to_home_view: flag(true, 'The escape key leads to the home view.'),
  left_side_userlist: flag(false, 'Show the people on the left in narrow windows.'),
  emojiset: choice(['google', 'twitter', 'text'], 'How emoji look.'),
  demote_inactive_streams: choice([1, 2, 3], '1 automatic, 2 always, 3 never.'),
  user_list_style: choice([1, 2, 3], '1 compact, 2 with status, 3 with avatar and status.', 3),
  web_animate_image_previews: choice(['always', 'on_hover', 'never'], 'When previews move.', 'on_hover'),
  web_stream_unreads_count_display_policy: choice(
    [1, 2, 3],
    '1 all channels, 2 unmuted channels and topics, 3 no channels.',
    2,
  ),
  hide_ai_features: flag(false, 'Hide what uses artificial intelligence.'),
  web_inbox_show_channel_folders: flag(true, 'Group the inbox by channel folders.'),
  web_left_sidebar_show_channel_folders: flag(true, 'Group the left sidebar by channel folders.'),
  web_left_sidebar_unreads_count_summary: flag(true, 'Sum up unread messages in the left sidebar.'),
  web_navigate_to_sent_message: flag(true, 'Go where a message was sent to.'),
  timezone: sensitive(timeZone('Time zone of the profile: an identifier of the IANA database.')),

  enable_stream_desktop_notifications: flag(false, 'Desktop notifications of channels.'),
  enable_stream_email_notifications: flag(false, 'E-mails about channels.'),
  enable_stream_push_notifications: flag(false, 'Mobile notifications of channels.'),
  enable_stream_audible_notifications: flag(false, 'Sounds for channels.'),
  notification_sound: choice(['none', ...notificationSounds], 'Which sound is played.', 'zulip'),
  enable_desktop_notifications: flag(true, 'Desktop notifications of direct messages and mentions.'),
  enable_sounds: flag(true, 'Sounds for direct messages and mentions.'),
  email_notifications_batching_period_seconds: quantity(
    120,
    { from: 1, to: WEEK },
    'How long messages are gathered before an e-mail tells of them, in seconds.',
  ),
  enable_offline_email_notifications: flag(true, 'E-mails about direct messages and mentions while away.'),
  enable_offline_push_notifications: flag(true, 'Mobile notifications of the same while away.'),
  enable_online_push_notifications: flag(true, 'Mobile notifications while present, too.'),
  enable_followed_topic_desktop_notifications: flag(true, 'Desktop notifications of followed topics.'),
  enable_followed_topic_email_notifications: flag(true, 'E-mails about followed topics.'),
  enable_followed_topic_push_notifications: flag(true, 'Mobile notifications of followed topics.'),
  enable_followed_topic_audible_notifications: flag(true, 'Sounds for followed topics.'),
  enable_followed_topic_wildcard_mentions_notify: flag(true, 'Wildcard mentions in followed topics count.'),
  wildcard_mentions_notify: flag(true, 'Wildcard mentions count as mentions.'),
  pm_content_in_desktop_notifications: flag(true, 'Desktop notifications show direct messages.'),
  message_content_in_email_notifications: flag(true, 'E-mails show the messages.'),
  desktop_icon_count_display: choice(
    [1, 2, 3, 4],
    'What is counted on the icon: 1 all unread, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 nothing.',
  ),
  enable_digest_emails: sensitive(flag(true, 'E-mails that sum up what was missed.')),
  enable_login_emails: sensitive(flag(true, 'E-mails about log-ins from new devices.')),
  enable_marketing_emails: sensitive(flag(true, 'E-mails about the product.')),
  realm_name_in_email_notifications_policy: choice(
    [1, 2, 3],
    'Whether e-mails name the organization: 1 automatic, 2 always, 3 never.',
  ),

  automatically_follow_topics_policy: choice(
    [1, 2, 3, 4],
    'Follow topics that one 1 takes part in, 2 writes to, 3 starts; 4 none.',
    3,
  ),
  automatically_unmute_topics_in_muted_streams_policy: choice(
    [1, 2, 3, 4],
    'Unmute topics of muted channels that one 1 takes part in, 2 writes to, 3 starts; 4 none.',
    2,
  ),
  automatically_follow_topics_where_mentioned: flag(true, 'Follow topics where one is mentioned.'),
  resolved_topic_notice_auto_read_policy: choice(
    ['always', 'except_followed', 'never'],
    'Whether notices of resolved topics arrive as read.',
    'except_followed',
  ),
  presence_enabled: sensitive(flag(true, 'Others see when one is present.')),
  enter_sends: flag(false, 'The enter key sends.'),
  send_private_typing_notifications: sensitive(flag(true, 'Others see one typing direct messages.')),
  send_stream_typing_notifications: sensitive(flag(true, 'Others see one typing in channels.')),
  send_read_receipts: sensitive(flag(true, 'Others see what one has read.')),
  allow_private_data_export: sensitive(flag(false, 'Administrators may export private data.')),
  email_address_visibility: sensitive(
    choice(
      [1, 2, 3, 4, 5],
      'Who sees one’s address: 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators.',
    ),
  ),
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof settingTable;

/** The values of settings, by name. */
export type UserSettings = { readonly [Name in SettingName]: ValueOf<(typeof settingTable)[Name]> };

/** In the order of the table. */
export const settingNames = Object.keys(settingTable) as SettingName[];

/** The settings of a new account if the organization has not changed them. */
export const initialSettings = Object.fromEntries(
  settingNames.map((name) => [name, settingTable[name].default]),
) as UserSettings;

/** Settings that an organization may choose for new accounts: all that are not personal. */
export const settingNamesWithDefaults = settingNames.filter(
  (name) => settingTable[name].kind !== 'time-zone',
);
