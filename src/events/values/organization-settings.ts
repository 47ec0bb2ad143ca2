import { isLongerThan } from '../../kernel/text.js';
import { z } from 'zod';
import { languageCodes } from './languages.js';

/** Who may change a setting of the organization. */
export type SettingChanger = 'administrators' | 'owners';

/** How a setting is sent, shown and validated. */
export type SettingKind =
  'flag' | 'text' | 'address' | 'number' | 'choice' | 'limit' | 'retention' | 'channel';

/** One setting of the organization. */
export interface OrganizationSetting<Value> {
  readonly kind: SettingKind;
  /** Validates the stored value. */
  readonly schema: z.ZodType<Value>;
  readonly initial: Value;
  readonly changedBy: SettingChanger;
  /** One phrase for the documentation page. */
  readonly meaning: string;
}

function setting<Value>(
  { kind, schema }: Pick<OrganizationSetting<Value>, 'kind' | 'schema'>,
  initial: NoInfer<Value>,
  meaning: string,
): OrganizationSetting<Value> {
  return { kind, schema, initial, meaning, changedBy: 'administrators' };
}

function ownersOnly<Value>(row: OrganizationSetting<Value>): OrganizationSetting<Value> {
  return { ...row, changedBy: 'owners' };
}

const flag = { kind: 'flag', schema: z.boolean() } as const;

/** Seconds since the message was sent; null: no limit. */
const limit = { kind: 'limit', schema: z.int().positive().nullable() } as const;

/** The value of a channel setting without a channel. */
export const noChannel = -1;

/** A channel's id, or none. */
const channel = { kind: 'channel', schema: z.union([z.int().positive(), z.literal(noChannel)]) } as const;

/** Maximum length in code points. */
function text(maxLength: number): { kind: 'text'; schema: z.ZodString } {
  const schema = z.string().refine((value) => !isLongerThan(value, maxLength), {
    message: `too long (limit: ${maxLength} characters)`,
  });
  return { kind: 'text', schema };
}

const maxAddress = 200;

/** The http or https URL of another server; null: the default. */
const address = {
  kind: 'address',
  schema: text(maxAddress).schema.refine(isWebAddress, { message: 'not an http or https URL' }).nullable(),
} as const;

function isWebAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

function number(min: number, max: number): { kind: 'number'; schema: z.ZodInt } {
  return { kind: 'number', schema: z.int().min(min).max(max) };
}

function choice<const Value extends string>(
  ...values: readonly Value[]
): { kind: 'choice'; schema: z.ZodType<Value> } {
  return { kind: 'choice', schema: z.enum(values) };
}

const aWeek = 604_800;
const tenMinutes = 600;
const maxWait = 36_500;
const maxGuesses = 1_000_000_000_000_000;

/** Every setting of the organization that is not a permission, with its default. */
export const organizationSettingTable = {
  name: setting(
    { kind: 'text', schema: text(40).schema.min(1) },
    'Organization',
    'what the organization is called',
  ),
  description: setting(text(1000), '', 'what it is for, in Markdown'),
  org_type: setting(
    { kind: 'number', schema: z.literal([0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000]) },
    0,
    'what kind of organization it is',
  ),
  want_advertise_in_communities_directory: setting(
    flag,
    false,
    'whether it is listed among open communities',
  ),
  default_language: setting(
    { kind: 'choice', schema: z.enum(languageCodes) },
    'en',
    'the language of the organization',
  ),
  default_code_block_language: setting(text(50), '', 'the language of code blocks that name none'),

  allow_message_editing: setting(flag, true, 'whether messages can be edited'),
  message_content_edit_limit_seconds: setting(limit, tenMinutes, 'how long people may edit what they wrote'),
  message_content_delete_limit_seconds: setting(
    limit,
    tenMinutes,
    'how long people may delete their own messages',
  ),
  move_messages_between_streams_limit_seconds: setting(
    limit,
    aWeek,
    'how long messages may be moved to other channels',
  ),
  move_messages_within_stream_limit_seconds: setting(
    limit,
    aWeek,
    'how long messages may be moved to other topics',
  ),
  message_edit_history_visibility_policy: setting(
    choice('all', 'moves', 'none'),
    'all',
    'how much of a message’s history is shown',
  ),
  message_retention_days: ownersOnly(
    setting(
      { kind: 'retention', schema: z.union([z.int().positive(), z.literal(-1)]) },
      -1,
      'how long messages are kept',
    ),
  ),
  owner_full_content_access: ownersOnly(
    setting(flag, false, 'whether owners may export everything, without the consent of anybody'),
  ),
  message_erasure_policy: ownersOnly(
    setting(choice('keep', 'erase'), 'keep', 'whether deleted messages stay readable for auditors'),
  ),
  security_retention_days: ownersOnly(
    setting(
      { kind: 'retention', schema: z.union([z.int().positive(), z.literal(-1)]) },
      365,
      'how many days it is kept from where, and with which program, somebody logged in or had a key; -1: for ever',
    ),
  ),
  topics_policy: setting(
    choice('allow_empty_topic', 'disable_empty_topic'),
    'allow_empty_topic',
    'whether the empty topic may be used',
  ),
  enable_read_receipts: setting(flag, false, 'whether people are told who has read a message'),
  inline_image_preview: setting(flag, true, 'whether images that messages link to are shown'),
  media_preview_size: setting(
    { kind: 'number', schema: z.literal([100, 150, 200]) },
    100,
    'how large images in messages are shown, in percent',
  ),
  inline_url_embed_preview: setting(flag, false, 'whether pages that messages link to are previewed'),
  send_channel_events_messages: setting(flag, true, 'whether channels are told what became of them'),

  name_changes_disabled: setting(flag, false, 'whether only administrators change names'),
  email_changes_disabled: setting(flag, false, 'whether only administrators change e-mail addresses'),
  avatar_changes_disabled: setting(flag, false, 'whether only administrators change avatars'),
  require_unique_names: setting(flag, false, 'whether nobody may take the name of another'),
  waiting_period_threshold: ownersOnly(
    setting(number(0, maxWait), 0, 'days until a new account is a full member'),
  ),
  password_min_guesses: ownersOnly(
    setting(
      number(0, maxGuesses),
      10_000,
      'how many guesses a new password must take, as estimated; 0: any password will do',
    ),
  ),
  invite_required: ownersOnly(setting(flag, true, 'whether nobody joins without an invitation')),
  emails_restricted_to_domains: ownersOnly(
    setting(flag, false, 'whether only people of the allowed domains join'),
  ),
  disallow_disposable_email_addresses: ownersOnly(
    setting(flag, true, 'whether nobody joins with a throw-away address'),
  ),
  send_welcome_emails: setting(flag, true, 'whether new people are greeted by e-mail'),
  welcome_message_custom_text: setting(
    text(8000),
    '',
    'what the welcome bot says to new people beside its own',
  ),
  enable_guest_user_indicator: setting(flag, true, 'whether guests are marked as such'),
  enable_guest_user_dm_warning: setting(flag, true, 'whether clients warn before writing to guests'),
  enable_spectator_access: setting(flag, false, 'whether channels can be open to the whole web'),

  digest_emails_enabled: setting(flag, false, 'whether inactive people are sent digests'),
  digest_weekday: setting(number(0, 6), 1, 'the day of the digests, 0 being Monday'),
  message_content_allowed_in_email_notifications: setting(
    flag,
    true,
    'whether e-mails tell what messages say',
  ),
  require_e2ee_push_notifications: setting(
    flag,
    false,
    'whether push notifications tell only encrypted content',
  ),
  video_chat_provider: setting(
    { kind: 'number', schema: z.literal([0, 1]) },
    1,
    'what clients make calls with: 0 nothing, 1 Jitsi Meet',
  ),
  jitsi_server_url: setting(address, null, 'the server for calls with Jitsi Meet, instead of the default'),
  giphy_rating: setting(number(0, 4), 2, 'which animated images clients offer'),

  new_stream_announcements_stream_id: setting(channel, noChannel, 'where new channels are announced'),
  signup_announcements_stream_id: setting(channel, noChannel, 'where new people are announced'),
  zulip_update_announcements_stream_id: setting(
    channel,
    noChannel,
    'where changes of the server are announced',
  ),
  moderation_request_channel_id: setting(channel, noChannel, 'where messages are reported'),
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
