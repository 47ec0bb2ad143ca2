import { z } from 'zod';
import { languageCodes } from './languages.js';
import {
  address,
  channel,
  choice,
  flag,
  limit,
  NO_CHANNEL,
  number,
  ownersOnly,
  setting,
  text,
  type OrganizationSetting,
} from './organization-setting-kinds.js';

const WEEK_SECONDS = 604_800;
const TEN_MINUTES = 600;
const MAX_WAIT = 36_500;
const MAX_GUESSES = 1_000_000_000_000_000;

/** Every setting of the organization that is not a permission, with its default. */
export const organizationSettingTable = {
  name: setting({ ...text(40), schema: text(40).schema.min(1) }, 'Organization', 'Its name.'),
  description: setting(text(1000), '', 'Its description, in Markdown.'),
  org_type: setting(
    { kind: 'number', schema: z.literal([0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000]) },
    0,
    'The kind of organization.',
  ),
  want_advertise_in_communities_directory: setting(
    flag,
    false,
    'Whether it is listed in the directory of open communities.',
  ),
  default_language: setting(
    { kind: 'choice', schema: z.enum(languageCodes) },
    'en',
    'Language of the organization.',
  ),
  default_code_block_language: setting(text(50), '', 'Language of code blocks that name no language.'),

  allow_message_editing: setting(flag, true, 'Whether messages can be edited.'),
  message_content_edit_limit_seconds: setting(
    limit,
    TEN_MINUTES,
    'How many seconds after sending people may edit the text of their own messages.',
  ),
  message_content_delete_limit_seconds: setting(
    limit,
    TEN_MINUTES,
    'How many seconds after sending people may delete their own messages.',
  ),
  move_messages_between_streams_limit_seconds: setting(
    limit,
    WEEK_SECONDS,
    'How many seconds after sending messages may be moved to other channels.',
  ),
  move_messages_within_stream_limit_seconds: setting(
    limit,
    WEEK_SECONDS,
    'How many seconds after sending messages may be moved to other topics.',
  ),
  message_edit_history_visibility_policy: setting(
    choice('all', 'moves', 'none'),
    'all',
    'Which versions of a message are shown: `all`, `moves` (without the texts) or `none`.',
  ),
  message_retention_days: ownersOnly(
    setting(
      { kind: 'retention', schema: z.union([z.int().positive(), z.literal(-1)]) },
      -1,
      'How many days messages are kept; -1: for ever.',
    ),
  ),
  owner_full_content_access: ownersOnly(
    setting(flag, false, 'Whether owners may export everything, without anybody’s consent.'),
  ),
  message_erasure_policy: ownersOnly(
    setting(
      choice('keep', 'erase'),
      'keep',
      '`keep`: auditors can read deleted messages; `erase`: nobody can.',
    ),
  ),
  security_retention_days: ownersOnly(
    setting(
      { kind: 'retention', schema: z.union([z.int().positive(), z.literal(-1)]) },
      365,
      'How many days the network addresses and programs of log-ins and keys are kept; -1: for ever.',
    ),
  ),
  topics_policy: setting(
    choice('allow_empty_topic', 'disable_empty_topic'),
    'allow_empty_topic',
    'Whether messages may be sent without a topic.',
  ),
  enable_read_receipts: setting(flag, false, 'Whether people may see who has read a message.'),
  inline_image_preview: setting(
    flag,
    true,
    'Whether images that messages link to are shown in the messages.',
  ),
  media_preview_size: setting(
    { kind: 'number', schema: z.literal([100, 150, 200]) },
    100,
    'Size of images in messages, in percent.',
  ),
  inline_url_embed_preview: setting(flag, false, 'Whether web pages that messages link to are previewed.'),
  send_channel_events_messages: setting(
    flag,
    true,
    'Whether changes of a channel are announced in that channel.',
  ),

  name_changes_disabled: setting(flag, false, 'Whether only administrators may change names.'),
  email_changes_disabled: setting(flag, false, 'Whether only administrators may change e-mail addresses.'),
  avatar_changes_disabled: setting(flag, false, 'Whether only administrators may change avatars.'),
  require_unique_names: setting(flag, false, 'Whether every account must have a name of its own.'),
  waiting_period_threshold: ownersOnly(
    setting(number(0, MAX_WAIT), 0, 'How many days pass before a new account is a full member.'),
  ),
  password_min_guesses: ownersOnly(
    setting(
      number(0, MAX_GUESSES),
      10_000,
      'How many guesses a new password must withstand, by estimate; 0: any password is accepted.',
    ),
  ),
  invite_required: ownersOnly(setting(flag, true, 'Whether people need an invitation to join.')),
  emails_restricted_to_domains: ownersOnly(
    setting(flag, false, 'Whether only people with e-mail addresses in the allowed domains may join.'),
  ),
  disallow_disposable_email_addresses: ownersOnly(
    setting(flag, true, 'Whether disposable e-mail addresses are refused.'),
  ),
  send_welcome_emails: setting(flag, true, 'Whether new people get an e-mail that welcomes them.'),
  welcome_message_custom_text: setting(
    text(8000),
    '',
    'A text that the welcome bot adds to its message to new people.',
  ),
  enable_guest_user_indicator: setting(flag, true, 'Whether clients mark guests as guests.'),
  enable_guest_user_dm_warning: setting(
    flag,
    true,
    'Whether clients warn people who write direct messages to guests.',
  ),
  enable_spectator_access: setting(flag, false, 'Whether channels can be readable without an account.'),

  digest_emails_enabled: setting(flag, false, 'Whether inactive people get digests by e-mail.'),
  digest_weekday: setting(number(0, 6), 1, 'Weekday on which digests are sent; 0 is Monday.'),
  message_content_allowed_in_email_notifications: setting(
    flag,
    true,
    'Whether e-mails include the texts of messages.',
  ),
  require_e2ee_push_notifications: setting(
    flag,
    false,
    'Whether push notifications include the texts of messages only if they are encrypted end to end.',
  ),
  video_chat_provider: setting(
    { kind: 'number', schema: z.literal([0, 1]) },
    1,
    'Service for video calls: 0 none, 1 Jitsi Meet.',
  ),
  jitsi_server_url: setting(address, null, 'URL of the Jitsi Meet server; null: the default server.'),
  giphy_rating: setting(number(0, 5), 2, 'Up to which rating clients offer animated images.'),

  new_stream_announcements_stream_id: setting(
    channel,
    NO_CHANNEL,
    'Channel in which new channels are announced; -1: none.',
  ),
  signup_announcements_stream_id: setting(
    channel,
    NO_CHANNEL,
    'Channel in which new people are announced; -1: none.',
  ),
  zulip_update_announcements_stream_id: setting(
    channel,
    NO_CHANNEL,
    'Channel in which changes of the server are announced; -1: none.',
  ),
  moderation_request_channel_id: setting(
    channel,
    NO_CHANNEL,
    'Channel to which reports of messages are sent; -1: none.',
  ),
} as const satisfies Record<string, OrganizationSetting<unknown>>;

/** Names of the settings, which are also the names of the parameters. */
export type OrganizationSettingName = keyof typeof organizationSettingTable;

/** The settings of the organization. Durations are in seconds; null: no limit. */
export type OrganizationSettings = {
  readonly [Name in OrganizationSettingName]: z.infer<(typeof organizationSettingTable)[Name]['schema']>;
};

/** In the order of the table. */
export const organizationSettingNames = Object.keys(
  organizationSettingTable,
) as readonly OrganizationSettingName[];

const someSettings: z.ZodType = z.strictObject(
  Object.fromEntries(
    organizationSettingNames.map((name) => [
      name,
      (organizationSettingTable[name].schema as z.ZodType).optional(),
    ]),
  ),
);

/** Some of the settings, as events contain them. */
export const someSettingsSchema = someSettings as z.ZodType<Partial<OrganizationSettings>>;

/** The settings of a new organization. */
export const defaultOrganizationSettings = Object.fromEntries(
  organizationSettingNames.map((name) => [name, organizationSettingTable[name].initial]),
) as OrganizationSettings;
