import { MOST_NOTIFIED } from '../../channels/subscribing-decision.js';
import { emptyTopicDisplayName } from '../../messages/text.js';
import { authenticationMethods } from '../../organization/authentication-methods.js';
import { limits } from '../../organization/defaults.js';
import { supportedPermissions } from '../../organization/views/supported-permissions.js';
import { offlineAfter, pingInterval } from '../../presence/presence.js';
import { knownExternalAccounts } from '../../profiles/external-accounts.js';
import { mostUploadMebibytes } from '../../uploads/uploads.js';
import { gravatarUrl } from '../../users/avatar.js';

/** What a client waits for an answer to a poll, in seconds; polls are answered well before. */
const longestPoll = 90;

/** When this process started: clients that see another number load themselves anew. Seconds since the UNIX epoch. */
const serverGeneration = Math.floor(performance.timeOrigin / 1000);

/** Times in milliseconds that clients go by when people type. */
const typingTimes = {
  server_typing_started_expiry_period_milliseconds: 45_000,
  server_typing_stopped_wait_period_milliseconds: 12_000,
  server_typing_started_wait_period_milliseconds: 30_000,
} as const;

/** Times in seconds that clients go by when they tell and show who is present. */
const presenceTimes = {
  server_presence_ping_interval_seconds: pingInterval / 1000,
  server_presence_offline_threshold_seconds: offlineAfter / 1000,
} as const;

/** Where clients make calls, unless an organization says otherwise. */
const calls = {
  realm_jitsi_server_url: null,
  server_jitsi_server_url: 'https://meet.jit.si',
  jitsi_server_url: 'https://meet.jit.si',
} as const;

/** What this server has not: the words by which clients know that. */
const withoutSuch = {
  giphy_api_key: '',
  giphy_rating_options: { disabled: { name: 'GIPHY integration disabled', id: 0 } },
  has_zoom_token: false,
  realm_push_notifications_enabled_end_timestamp: null,
  realm_is_zephyr_mirror_realm: false,
  realm_upload_quota_mib: null,
  server_thumbnail_formats: [],
  server_inline_url_embed_preview: false,
  server_web_public_streams_enabled: false,
  server_needs_upgrade: false,
  upgrade_text_for_wide_organization_logo: '',
  zulip_plan_is_not_limited: true,
  development_environment: false,
  settings_send_digest_emails: false,
  server_report_message_types: [],
} as const;

/** Every organization has the same ones. */
const pictures = {
  realm_icon_url: gravatarUrl(''),
  realm_icon_source: 'G',
  realm_logo_url: gravatarUrl(''),
  realm_logo_source: 'D',
  realm_night_logo_url: gravatarUrl(''),
  realm_night_logo_source: 'D',
} as const;

/** A server that people run themselves, in the words of clients. */
const selfHosted = 1;

/** How people log in, in the words of clients. */
const logIn = {
  realm_authentication_methods: {
    Email: { enabled: authenticationMethods.email, available: authenticationMethods.email },
  },
  realm_email_auth_enabled: authenticationMethods.email,
  realm_password_auth_enabled: authenticationMethods.password,
  password_min_length: limits.passwordMinimum,
  password_max_length: limits.passwordMaximum,
  password_min_guesses: 0,
} as const;

/** The longest and largest things that are taken: lengths in characters, sizes in mebibytes. */
const bounds = {
  max_topic_length: limits.topic,
  max_message_length: limits.message,
  max_stream_name_length: limits.channelName,
  max_stream_description_length: limits.channelDescription,
  max_channel_folder_name_length: limits.channelFolderName,
  max_channel_folder_description_length: limits.channelDescription,
  max_bulk_new_subscription_messages: MOST_NOTIFIED,
  max_file_upload_size_mib: mostUploadMebibytes,
  max_avatar_file_size_mib: 5,
  max_icon_file_size_mib: 5,
  max_logo_file_size_mib: 5,
} as const;

/** What the initial state says alike of every organization, as members of the reply (facts of the events, section 3). */
export const serverConstants = {
  ...pictures,
  ...typingTimes,
  ...presenceTimes,
  ...calls,
  ...logIn,
  ...bounds,
  ...withoutSuch,
  realm_plan_type: selfHosted,
  realm_presence_disabled: false,
  realm_available_video_chat_providers: {
    disabled: { name: 'None', id: 0 },
    jitsi_meet: { name: 'Jitsi Meet', id: 1 },
  },
  realm_default_external_accounts: knownExternalAccounts,
  realm_empty_topic_display_name: emptyTopicDisplayName,
  server_generation: serverGeneration,
  server_inline_image_preview: true,
  server_avatar_changes_disabled: false,
  server_name_changes_disabled: false,
  server_supported_permission_settings: supportedPermissions,
  event_queue_longpoll_timeout_seconds: longestPoll,
} as const;
