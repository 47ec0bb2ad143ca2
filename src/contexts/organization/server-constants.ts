import { MAX_NOTIFIED } from '../channels/subscribing.decide.js';
import { emptyTopicDisplayName } from '../../kernel/api-constants.js';
import { authenticationMethods } from './authentication-methods.js';
import { limits } from '../../events/values/organization-defaults.js';
import { supportedPermissions } from './views/supported-permissions.js';
import { offlineAfter, pingInterval } from '../presence/presence.js';
import { knownExternalAccounts } from '../../access/records/external-accounts.js';
import { maxUploadMebibytes } from '../uploads/uploads.state.js';
import { thumbnailNames, thumbnailSize } from '../../markdown/media.js';
import { reportTypes } from '../../events/reports.js';

/** What a client waits for an answer to a poll, in seconds; polls are answered well before. */
const maxPoll = 90;

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

/** In which formats uploaded images are offered smaller than they are. */
const thumbnailFormats = Object.entries(thumbnailNames).map(([kind, name]) => ({
  name,
  max_width: thumbnailSize.width,
  max_height: thumbnailSize.height,
  format: 'webp',
  animated: kind === 'animated',
}));

/** What this server has not: the words by which clients know that. */
const withoutSuch = {
  realm_push_notifications_enabled_end_timestamp: null,
  server_inline_url_embed_preview: false,
  server_web_public_streams_enabled: false,
  server_needs_upgrade: false,
  upgrade_text_for_wide_organization_logo: '',
  zulip_plan_is_not_limited: true,
  development_environment: false,
  settings_send_digest_emails: false,
  server_can_summarize_topics: false,
} as const;

/** Which animated images an organization may want, though this server offers none. */
const gifRatings = {
  disabled: { id: 0, name: 'GIF integration disabled' },
  y: { id: 1, name: 'Include GIFs rated Y' },
  g: { id: 2, name: 'Include GIFs rated G' },
  pg: { id: 3, name: 'Include GIFs rated PG' },
  'pg-13': { id: 4, name: 'Include GIFs rated PG-13' },
  r: { id: 5, name: 'Include GIFs rated R' },
} as const;

/** For how many days a deactivated organization is kept at least. */
export const minDeletionDelay = 14;

/** For how long a deactivated organization is kept at least and at most, in days; null: without limit. */
const deletionDelays = {
  server_min_deactivated_realm_deletion_days: minDeletionDelay,
  server_max_deactivated_realm_deletion_days: null,
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
} as const;

/** The longest and largest things that are taken: lengths in characters, sizes in mebibytes. */
const bounds = {
  max_topic_length: limits.topic,
  max_message_length: limits.message,
  max_stream_name_length: limits.channelName,
  max_stream_description_length: limits.channelDescription,
  max_channel_folder_name_length: limits.channelFolderName,
  max_channel_folder_description_length: limits.channelDescription,
  max_bulk_new_subscription_messages: MAX_NOTIFIED,
  max_reminder_note_length: limits.reminderNote,
  max_file_upload_size_mib: maxUploadMebibytes,
  max_avatar_file_size_mib: 5,
  max_icon_file_size_mib: 5,
  max_logo_file_size_mib: 5,
} as const;

/** What the initial state says alike of every organization, as members of the reply (facts of the events, section 3). */
export const serverConstants = {
  ...typingTimes,
  ...presenceTimes,
  ...calls,
  ...logIn,
  ...bounds,
  server_thumbnail_formats: thumbnailFormats,
  ...withoutSuch,
  ...deletionDelays,
  server_report_message_types: Object.entries(reportTypes).map(([key, name]) => ({ key, name })),
  gif_rating_policy_options: gifRatings,
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
  event_queue_longpoll_timeout_seconds: maxPoll,
} as const;
