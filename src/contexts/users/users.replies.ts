import { z } from 'zod';
import { userGroupPermissionsSchema } from '../../events/user-groups.js';
import {
  type Described,
  fieldsOf,
  groupSetting,
  id,
  ids,
  named,
  seconds,
  secondsOrNever,
} from '../../http/replies/common-schemas.js';

/** A profile's values, by the field's id. */
const profileSchema = z.record(
  z.string(),
  z.strictObject({ value: z.string(), rendered_value: z.string().optional() }),
);

const role = z.int().describe('100 owner, 200 administrator, 300 moderator, 400 member, 600 guest');

const listedMembers = {
  email: z.string(),
  user_id: id,
  avatar_version: z.int(),
  is_admin: z.boolean(),
  is_owner: z.boolean(),
  is_guest: z.boolean(),
  role,
  is_bot: z.boolean(),
  full_name: z.string(),
  timezone: z.string().describe('Empty: unknown'),
  date_joined: z.string().describe('ISO 8601'),
  delivery_email: z.string().nullable().describe('The e-mail address; null if the caller may not see it'),
  avatar_url: z.string().nullable().describe('Null if the client can compute the address'),
  is_imported_stub: z.boolean(),
  is_deleted: z
    .literal(true)
    .optional()
    .describe('True for accounts that were erased or whose profile was deleted, otherwise absent'),
  bot_type: z.int().nullable().describe('1 generic, 2 incoming webhook, 3 outgoing webhook'),
  bot_owner_id: id.nullable(),
  is_system_bot: z
    .literal(true)
    .optional()
    .describe('True for the system bots of the server, otherwise absent'),
  profile_data: profileSchema
    .optional()
    .describe('The values by the ids of the fields; only for people, and only if requested'),
} as const;

/** An account in the API. */
export const userSchema = named('User', z.strictObject({ ...listedMembers, is_active: z.boolean() }));

/** Type of {@link userSchema}. */
export type UserObject = Described<typeof userSchema>;

/** An account in a list, which says whether it is active. */
export const listedUserSchema = named('ListedUser', z.strictObject(listedMembers));

/** A user group in the API. */
export const groupSchema = named(
  'UserGroup',
  z.strictObject({
    id,
    name: z.string(),
    creator_id: id.nullable().describe('Null: a system group'),
    date_created: secondsOrNever.describe('Seconds since the UNIX epoch; null: a system group'),
    description: z.string(),
    members: ids,
    direct_subgroup_ids: ids,
    is_system_group: z.boolean(),
    ...fieldsOf(
      Object.keys(userGroupPermissionsSchema.shape) as (keyof typeof userGroupPermissionsSchema.shape)[],
      groupSetting,
    ),
    deactivated: z.boolean(),
  }),
);

/** Type of {@link groupSchema}. */
export type GroupObject = Described<typeof groupSchema>;

/** A bot's defaults for what its requests do not specify: names of channels, null for none. */
export const botDefaultMembers = {
  default_sending_stream: z.string().nullable(),
  default_events_register_stream: z.string().nullable(),
  default_all_public_streams: z.boolean(),
} as const;

/** Where an outgoing webhook bot sends requests, and the token in them. */
export const serviceSchema = z.strictObject({ base_url: z.string(), interface: z.int(), token: z.string() });

const service = {
  service_payload_url: z.string().optional(),
  service_interface: z.int().optional(),
} as const;

/** Answered by `GET users`. */
export const usersReply = { members: z.array(userSchema) };

/** Answered by `GET users/{user_id_or_email}`. */
export const userReply = { user: userSchema };

/** Answered by `GET users/me`. */
export const ownUserReply = {
  ...userSchema.shape,
  bot_type: z.int().optional(),
  bot_owner_id: id.nullable().optional(),
  max_message_id: z
    .int()
    .describe('Deprecated. The id of the latest message that the account received; -1: there is none'),
};

/** Answered by `POST users`. */
export const createdUserReply = { user_id: id };

/** Answered by `POST users/me/avatar`, `DELETE users/me/avatar`. */
export const avatarReply = { avatar_url: z.string() };

/** Answered by `GET bots/{bot_id}/api_key`, `POST bots/{bot_id}/api_key/regenerate`, `POST users/me/api_key/regenerate`. */
export const keyReply = { api_key: z.string() };

/** An API key without the key itself. */
const apiKeySchema = named(
  'ApiKey',
  z.strictObject({
    id: z.string().describe('Identifies the key; it cannot be used as the key'),
    client: z
      .string()
      .nullable()
      .describe('The name of the client program that the key was issued for; null: unknown'),
    created_at: seconds,
    last_used_at: secondsOrNever.describe(
      'Seconds since the UNIX epoch, approximately; null: not used since the server records this',
    ),
    is_current: z.boolean().describe('Whether the request was authenticated with this key'),
  }),
);

/** Type of {@link apiKeySchema}. */
export type ApiKeyObject = Described<typeof apiKeySchema>;

/** Answered by `GET users/me/api_keys`. */
export const apiKeysReply = { api_keys: z.array(apiKeySchema) };

/** Answered by `POST fetch_api_key`. */
export const loggedInReply = { api_key: z.string(), email: z.string(), user_id: id };

/** Answered by `POST jwt/fetch_api_key`. */
export const tokenExchangedReply = { api_key: z.string(), email: z.string(), user: userSchema.optional() };

/** Answered by `GET user_groups`. */
export const groupsReply = { user_groups: z.array(groupSchema) };

/** Answered by `POST user_groups/create`. */
export const createdGroupReply = { group_id: id };

/** Answered by `GET user_groups/{group_id}/members`. */
export const groupMembersReply = { members: ids };

/** Answered by `GET user_groups/{group_id}/members/{user_id}`. */
export const membershipReply = { is_user_group_member: z.boolean() };

/** Answered by `GET user_groups/{group_id}/subgroups`. */
export const subgroupsReply = { subgroups: ids };

/** Answered by `GET bots`. */
export const botsReply = {
  bots: z.array(
    z.strictObject({
      username: z.string(),
      full_name: z.string(),
      api_key: z.string(),
      services: z.array(serviceSchema),
      avatar_url: z.string(),
      ...botDefaultMembers,
    }),
  ),
};

/** Answered by `POST bots`. */
export const createdBotReply = {
  user_id: id,
  api_key: z.string(),
  avatar_url: z.string(),
  ...botDefaultMembers,
  ...service,
};

/** Answered by `PATCH bots/{bot_id}`. */
export const changedBotReply = {
  full_name: z.string(),
  bot_owner: z.string().nullable().describe('E-mail address of the owner'),
  avatar_url: z.string(),
  ...botDefaultMembers,
  ...service,
};
