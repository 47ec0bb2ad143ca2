import { channelPermissionTable } from '../../access/channel-permission-values.js';
import { groupPermissionTable } from '../../access/group-permission-values.js';
import { knownExternalAccounts } from '../../access/records/field-data.js';
import { reportTypes } from '../../events/reports.js';
import type { GroupRule } from '../../events/values/group-rule.js';
import { limits, systemGroups } from '../../events/values/organization-defaults.js';
import { organizationPermissionTable } from '../../events/values/organization-permissions.js';
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../kernel/api-constants.js';
import { thumbnailNames, thumbnailSize } from '../../markdown/media.js';
import { MAX_NOTIFIED } from '../channels/subscribing.decide.js';
import { OFFLINE_AFTER, PING_INTERVAL } from '../presence/presence.js';
import { MAX_UPLOAD_MEBIBYTES } from '../uploads/uploads.state.js';
import { authenticationMethods } from './organization.replies.js';

/**
 * The groups that each permission may be given to, as clients get them
 * (`server_supported_permission_settings`).
 */
const supportedPermissions = {
  realm: configurations(organizationPermissionTable, null),
  stream: configurations(channelPermissionTable, 'channel_creator'),
  group: configurations(groupPermissionTable, 'group_creator'),
};

function configurations(
  table: Readonly<Record<string, GroupRule>>,
  creator: string | null,
): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(table).map(([name, rule]) => [name, configuration(rule, { name, creator })]),
  );
}

function configuration(
  { initial, allowsEveryone, allowsNobody, onlySystemGroups }: GroupRule,
  { name, creator }: { readonly name: string; readonly creator: string | null },
): object {
  return {
    require_system_group: onlySystemGroups !== null,
    allow_internet_group: false,
    allow_nobody_group: allowsNobody,
    allow_everyone_group: allowsEveryone,
    default_group_name: initial === 'creator' ? creator : groupName(initial),
    default_for_system_groups: creator === 'group_creator' ? 'role:nobody' : null,
    id_field_name: `${name}_id`,
    allowed_system_groups: (onlySystemGroups ?? []).map(groupName),
  };
}

function groupName(groupId: number): string | null {
  return systemGroups.find(({ id }) => id === groupId)?.name ?? null;
}

/** Seconds that clients wait for a reply to a poll; polls are answered well before. */
const MAX_POLL = 90;

/**
 * When this process started, in seconds since the UNIX epoch: clients that see another number reload
 * themselves.
 */
const SERVER_GENERATION = Math.floor(performance.timeOrigin / 1000);

/** Timing of typing notifications for clients, in milliseconds. */
const typingTimes = {
  server_typing_started_expiry_period_milliseconds: 45_000,
  server_typing_stopped_wait_period_milliseconds: 12_000,
  server_typing_started_wait_period_milliseconds: 30_000,
} as const;

/** Timing of presence for clients, in seconds. */
const presenceTimes = {
  server_presence_ping_interval_seconds: PING_INTERVAL / 1000,
  server_presence_offline_threshold_seconds: OFFLINE_AFTER / 1000,
} as const;

/** The video-call server of clients, if the organization has no other. */
const calls = { server_jitsi_server_url: 'https://meet.jit.si' } as const;

/** Formats and sizes of thumbnails of uploaded images. */
const thumbnailFormats = Object.entries(thumbnailNames).map(([kind, name]) => ({
  name,
  max_width: thumbnailSize.width,
  max_height: thumbnailSize.height,
  format: 'webp',
  animated: kind === 'animated',
}));

/** Features that this server does not have, in the form that clients expect. */
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

/** Content ratings for animated images, which clients expect although this server offers none. */
const gifRatings = {
  disabled: { id: 0, name: 'GIF integration disabled' },
  y: { id: 1, name: 'Include GIFs rated Y' },
  g: { id: 2, name: 'Include GIFs rated G' },
  pg: { id: 3, name: 'Include GIFs rated PG' },
  'pg-13': { id: 4, name: 'Include GIFs rated PG-13' },
  r: { id: 5, name: 'Include GIFs rated R' },
} as const;

/** Minimum number of days that a deactivated organization is kept. */
export const MIN_DELETION_DELAY = 14;

/** Minimum and maximum number of days that a deactivated organization is kept; null: no limit. */
const deletionDelays = {
  server_min_deactivated_realm_deletion_days: MIN_DELETION_DELAY,
  server_max_deactivated_realm_deletion_days: null,
} as const;

/** The `realm_plan_type` of clients for self-hosted servers. */
const SELF_HOSTED = 1;

/** The log-in methods as clients expect them. */
const logIn = {
  realm_authentication_methods: {
    Email: { enabled: authenticationMethods.email, available: authenticationMethods.email },
  },
  realm_email_auth_enabled: authenticationMethods.email,
  realm_password_auth_enabled: authenticationMethods.password,
  password_min_length: limits.passwordMinimum,
  password_max_length: limits.passwordMaximum,
} as const;

/** Maximum sizes: lengths in characters, files in mebibytes. */
const bounds = {
  max_topic_length: limits.topic,
  max_message_length: limits.message,
  max_stream_name_length: limits.channelName,
  max_stream_description_length: limits.channelDescription,
  max_channel_folder_name_length: limits.channelFolderName,
  max_channel_folder_description_length: limits.channelDescription,
  max_bulk_new_subscription_messages: MAX_NOTIFIED,
  max_reminder_note_length: limits.reminderNote,
  max_file_upload_size_mib: MAX_UPLOAD_MEBIBYTES,
  max_avatar_file_size_mib: 5,
  max_icon_file_size_mib: 5,
  max_logo_file_size_mib: 5,
} as const;

/** Members of the initial state that are the same for every organization. */
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
  realm_plan_type: SELF_HOSTED,
  realm_presence_disabled: false,
  realm_available_video_chat_providers: {
    disabled: { name: 'None', id: 0 },
    jitsi_meet: { name: 'Jitsi Meet', id: 1 },
  },
  realm_default_external_accounts: knownExternalAccounts,
  realm_empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME,
  server_generation: SERVER_GENERATION,
  server_inline_image_preview: true,
  server_avatar_changes_disabled: false,
  server_name_changes_disabled: false,
  server_supported_permission_settings: supportedPermissions,
  event_queue_longpoll_timeout_seconds: MAX_POLL,
} as const;
