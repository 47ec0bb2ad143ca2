import { z } from 'zod';
import {
  channelPermissionsSchema,
  topicsPolicySchema,
  type ChannelPermissions,
  type TopicsPolicy,
} from '../../events/channels.js';
import { groupSettingSchema, type GroupSetting } from '../../events/values/group-setting.js';
import { systemGroupIds } from '../../events/values/organization-defaults.js';
import {
  BooleanParameter,
  IntegerParameter,
  JsonOrTextParameter,
} from '../../http/parameters/parameter-decorators.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { groupOfPostPolicy } from './channels.view.js';
import { retentionDays, type ChannelSettings } from './channel-settings.js';

/** Names of a channel's permissions, which are also the names of the parameters. */
const permissionNames = channelPermissionsSchema.keyof().options;

const Group = (description: string): PropertyDecorator =>
  JsonOrTextParameter({
    maxItems: budgets.namedInPermission.max,
    schema: groupSettingSchema,
    description: `Group-setting value: ${description}`,
  });

/** The two deprecated spellings of `can_send_message_group`. */
export class PostingParameters {
  @BooleanParameter({ description: 'Deprecated: whether only administrators may send messages.' })
  is_announcement_only?: boolean;

  @IntegerParameter({
    description:
      'Deprecated: who may send messages: 1 everybody, 2 administrators, 3 full members, 4 moderators.',
  })
  stream_post_policy?: number;
}

/**
 * The group that the deprecated spellings mean; undefined where neither was sent.
 *
 * @throws ApplicationError for an unknown policy
 */
export function postingGroup({
  stream_post_policy: policy,
  is_announcement_only: announcementOnly,
}: PostingParameters): number | undefined {
  if (policy === undefined) {
    if (announcementOnly === undefined) return undefined;
    return announcementOnly ? systemGroupIds.administrators : systemGroupIds.everyone;
  }
  const group = groupOfPostPolicy(policy);
  if (group === undefined) throw failure('invalidPostPolicy');
  return group;
}

/** Parameters for the settings of channels that are created. */
export class ChannelSettingsParameters
  extends PostingParameters
  implements Partial<Record<keyof ChannelPermissions, GroupSetting>>
{
  @BooleanParameter({ description: 'Whether the channels are private. Default false.' })
  invite_only?: boolean;

  @BooleanParameter({ description: 'Whether everyone on the web may read the channels. Default false.' })
  is_web_public?: boolean;

  @BooleanParameter({
    description: 'Whether new subscribers can read earlier messages. Default: only in public channels.',
  })
  history_public_to_subscribers?: boolean;

  @JsonOrTextParameter({
    schema: z.union([z.number().int(), z.string()]),
    description: 'For how many days messages are kept, `unlimited` or `realm_default`. Owners only.',
  })
  message_retention_days?: number | string;

  @JsonOrTextParameter({
    values: topicsPolicySchema.options,
    schema: topicsPolicySchema,
    description: 'Which topics may be used. Default `inherit`.',
  })
  topics_policy?: TopicsPolicy;

  @IntegerParameter({ description: 'The id of the folder that shows the channels.' })
  folder_id?: number;

  @Group('who may subscribe others.')
  can_add_subscribers_group?: GroupSetting;

  @Group('who may administer the channel, beside administrators. Default: its creator.')
  can_administer_channel_group?: GroupSetting;

  @Group('who may start topics.')
  can_create_topic_group?: GroupSetting;

  @Group('who may delete any message.')
  can_delete_any_message_group?: GroupSetting;

  @Group('who may delete their own messages.')
  can_delete_own_message_group?: GroupSetting;

  @Group('who may move messages to other channels.')
  can_move_messages_out_of_channel_group?: GroupSetting;

  @Group('who may move messages to other topics.')
  can_move_messages_within_channel_group?: GroupSetting;

  @Group('who may unsubscribe others.')
  can_remove_subscribers_group?: GroupSetting;

  @Group('who may resolve topics.')
  can_resolve_topics_group?: GroupSetting;

  @Group('who may send.')
  can_send_message_group?: GroupSetting;

  @Group('who may subscribe to a private channel.')
  can_subscribe_group?: GroupSetting;
}

/** The settings in the form of the deciders; what was not sent gets the default. */
export function channelSettings(parameters: ChannelSettingsParameters, isDefault: boolean): ChannelSettings {
  const { message_retention_days: retention } = parameters;
  const posting = postingGroup(parameters);
  return {
    inviteOnly: parameters.invite_only ?? false,
    isWebPublic: parameters.is_web_public ?? false,
    historyPublicToSubscribers: parameters.history_public_to_subscribers ?? null,
    isDefault,
    messageRetentionDays: retention === undefined ? undefined : retentionDays(retention),
    topicsPolicy: parameters.topics_policy ?? null,
    folderId: parameters.folder_id ?? null,
    permissions: {
      ...(posting !== undefined && { can_send_message_group: posting }),
      ...permissionsIn<GroupSetting>(parameters),
    },
  };
}

/** The permissions that were sent, by name. */
export function permissionsIn<Value>(parameters: {
  readonly [Name in keyof ChannelPermissions]?: Value | undefined;
}): Partial<Record<keyof ChannelPermissions, Value>> {
  const sent: Partial<Record<keyof ChannelPermissions, Value>> = {};
  for (const name of permissionNames) {
    const value = parameters[name];
    if (value !== undefined) sent[name] = value;
  }
  return sent;
}
