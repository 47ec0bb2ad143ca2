import { z } from 'zod';
import { channelGroupSchema } from '../channels/channels.replies.js';
import { fieldsLike, html, id, optionalFields, seconds } from '../../http/replies/common-schemas.js';
import { clientEvent } from '../../realtime/client-event-schema.js';
import { serverConstants } from './server-constants.js';
import {
  codePlaygroundSchema,
  domainSchema,
  permissionFields,
  settingFields,
} from './organization.replies.js';

/** Values that derive from settings, and are sent with them. */
const derived = {
  rendered_description: html,
  allow_edit_history: z.boolean(),
  mandatory_topics: z.boolean(),
  wildcard_mention_policy: z.int(),
  create_public_stream_policy: z.int(),
  create_private_stream_policy: z.int(),
  create_web_public_stream_policy: z.int(),
  invite_to_stream_policy: z.int(),
  bot_creation_policy: z.int(),
} as const;

const pictures = {
  icon_url: z.string(),
  icon_source: z.enum(['G', 'U']),
  logo_url: z.string(),
  logo_source: z.enum(['D', 'U']),
  night_logo_url: z.string(),
  night_logo_source: z.enum(['D', 'U']),
} as const;

/** Schemas of the client events about the organization. */
export const organizationEventSchemas = [
  clientEvent('realm', 'update', {
    property: z.string(),
    value: z.union([z.string(), z.int(), z.boolean()]).nullable(),
  }),
  clientEvent('realm', 'update_dict', {
    property: z.enum(['default', 'icon', 'logo', 'night_logo']),
    data: z.strictObject(optionalFields({ ...settingFields, ...permissionFields, ...derived, ...pictures })),
  }),
  clientEvent('realm', 'deactivated', { realm_id: id }),
  clientEvent('realm_domains', 'add', { realm_domain: domainSchema }),
  clientEvent('realm_domains', 'change', { realm_domain: domainSchema }),
  clientEvent('realm_domains', 'remove', { domain: z.string() }),
  clientEvent('realm_playgrounds', null, { realm_playgrounds: z.array(codePlaygroundSchema) }),
  clientEvent('default_stream_groups', null, { default_stream_groups: z.array(channelGroupSchema) }),
];

function ofOrganization(fields: Readonly<Record<string, z.ZodType>>): Readonly<Record<string, z.ZodType>> {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [`realm_${name}`, schema]));
}

const state = {
  ...ofOrganization({ ...settingFields, ...permissionFields, ...derived, ...pictures }),
  ...fieldsLike(serverConstants),
  realm_uuid: z.string(),
  realm_workplace_users_group: z.int(),
  realm_default_avatar_source: z.literal('G'),
  realm_date_created: seconds,
  password_min_guesses: z.int(),
  jitsi_server_url: z.string().describe('The server for calls with Jitsi Meet'),
  realm_push_notifications_enabled: z.boolean(),
  realm_upload_quota_mib: z.int().nullable().describe('In mebibytes; null: no limit'),
  realm_url: z.string(),
  realm_uri: z.string(),
  realm_bot_domain: z.string(),
  server_emoji_data_url: z.string(),
  realm_domains: z.array(domainSchema),
  realm_playgrounds: z.array(codePlaygroundSchema),
  realm_embedded_bots: z.array(z.never()),
  giphy_api_key: z.literal(''),
  tenor_api_key: z.literal(''),
  klipy_api_key: z.literal(''),
  realm_billing: z.strictObject({ has_pending_sponsorship_request: z.literal(false) }),
  has_zoom_token: z.literal(false),
  has_webex_token: z.literal(false),
} as const;

/** Schemas of the initial state about the organization and the server. */
export const organizationStateFields = optionalFields(state);
