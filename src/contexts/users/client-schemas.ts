import { z } from 'zod';
import { userGroupPermissionsSchema } from '../../events/user-groups.js';
import { groupSetting, id, ids, named } from '../../http/replies/common-schemas.js';
import { clientEvent } from '../../realtime/client-event-schema.js';
import {
  botDefaultMembers,
  groupSchema,
  listedUserSchema,
  serviceSchema,
  userSchema,
} from './users.replies.js';

const botMembers = {
  email: z.string(),
  full_name: z.string(),
  is_active: z.boolean(),
  api_key: z.string().describe('Empty if the receiver may not read it'),
  owner_id: id.nullable(),
  services: z.array(serviceSchema),
  avatar_url: z.string(),
  ...botDefaultMembers,
} as const;

const botSchema = named('Bot', z.strictObject({ user_id: id, bot_type: z.int().nullable(), ...botMembers }));

/** An event has one group of these members, beside `user_id`. */
const personChanges = z.strictObject({
  user_id: id,
  full_name: z.string().optional(),
  role: z.int().optional(),
  is_active: z.boolean().optional(),
  is_deleted: z.literal(true).optional().describe('The profile was deleted'),
  bot_owner_id: id.nullable().optional(),
  date_joined: z.string().optional(),
  email: z.string().optional().describe('The e-mail address; only if `timezone` changes'),
  timezone: z.string().optional(),
  new_email: z.string().optional(),
  delivery_email: z.string().nullable().optional(),
  avatar_url: z.string().nullable().optional(),
  avatar_url_medium: z.string().nullable().optional(),
  avatar_source: z.enum(['G', 'U']).optional(),
  avatar_version: z.int().optional(),
  custom_profile_field: z
    .strictObject({ id, value: z.string().nullable(), rendered_value: z.string().optional() })
    .optional()
    .describe('`value` is null if the field was cleared'),
});

const members = { group_id: id, user_ids: ids };
const subgroups = { group_id: id, direct_subgroup_ids: ids };

const groupChanges = z.strictObject({
  name: z.string().optional(),
  description: z.string().optional(),
  deactivated: z.boolean().optional(),
  ...Object.fromEntries(
    Object.keys(userGroupPermissionsSchema.shape).map((name) => [name, groupSetting.optional()]),
  ),
});

/** Schemas of the client events about accounts, bots and user groups. */
export const userEventSchemas = [
  clientEvent('realm_user', 'add', { person: userSchema }),
  clientEvent('realm_user', 'update', { person: personChanges }),
  clientEvent('realm_user', 'remove', { person: z.strictObject({ user_id: id, full_name: z.string() }) }),
  clientEvent('realm_bot', 'add', { bot: botSchema }),
  clientEvent('realm_bot', 'update', {
    bot: z.strictObject({ user_id: id, ...z.strictObject(botMembers).partial().shape }),
  }),
  clientEvent('realm_bot', 'delete', { bot: z.strictObject({ user_id: id }) }),
  clientEvent('user_group', 'add', { group: groupSchema }),
  clientEvent('user_group', 'update', { group_id: id, data: groupChanges }),
  clientEvent('user_group', 'remove', { group_id: id }),
  clientEvent('user_group', 'add_members', members),
  clientEvent('user_group', 'remove_members', members),
  clientEvent('user_group', 'add_subgroups', subgroups),
  clientEvent('user_group', 'remove_subgroups', subgroups),
];

const isOrMay = z.boolean().optional();

/** Schemas of the initial state about people, the own account and user groups. */
export const userStateFields = {
  realm_users: z.array(listedUserSchema).optional(),
  realm_non_active_users: z.array(listedUserSchema).optional(),
  cross_realm_bots: z.array(userSchema).optional().describe('The system bots of the server'),
  user_id: id.optional(),
  email: z.string().optional(),
  delivery_email: z.string().optional(),
  full_name: z.string().optional(),
  avatar_source: z.enum(['G', 'U']).optional(),
  avatar_url: z.string().nullable().optional(),
  avatar_url_medium: z.string().nullable().optional(),
  is_admin: isOrMay,
  is_owner: isOrMay,
  is_moderator: isOrMay,
  is_guest: isOrMay,
  can_create_public_streams: isOrMay,
  can_create_private_streams: isOrMay,
  can_create_web_public_streams: isOrMay,
  can_create_streams: isOrMay,
  can_invite_others_to_realm: isOrMay,
  realm_bots: z.array(botSchema).optional(),
  realm_user_groups: z.array(groupSchema).optional(),
} as const;
