import { z } from 'zod';
import { topicsPolicySchema, type ChannelPermissions, type TopicsPolicy } from '../../events/channels.js';
import { permissionChangeSchema, type PermissionChange } from '../../events/values/group-setting.js';
import {
  BooleanParameter,
  JsonParameter,
  TextParameter,
  IntegerParameter,
  JsonOrTextParameter,
} from '../../http/parameters/parameter-decorators.js';
import type { ChannelChanges } from './channel-changes.decide.js';
import { retentionDays } from './channel-settings.js';
import {
  ChannelSettingsParameters,
  postingGroup,
  PostingParameters,
  permissionsIn,
} from './channel-settings.parameters.js';
import type { ChannelSelection } from './queries/channels.js';
import { budgets } from '../../kernel/budgets.js';
import { limits } from '../../events/values/organization-defaults.js';

/** Parameters of POST /channels/create. */
export class CreateChannelParameters extends ChannelSettingsParameters {
  @TextParameter({
    maxLength: limits.channelName,
    example: 'looms',
    required: true,
    description: 'The name of the channel: 1 to 60 code points.',
  })
  name!: string;

  @TextParameter({
    maxLength: limits.channelDescription,
    description: 'The description of the channel: Markdown, at most 1024 code points. Default empty.',
  })
  description?: string;

  @JsonParameter({
    example: [3],
    required: true,
    schema: z.array(z.number().int()).max(budgets.listOfRequest.max),
    description: 'Ids of the accounts to subscribe.',
  })
  subscribers!: number[];

  @BooleanParameter({ description: 'Whether new accounts are subscribed to the channel. Default false.' })
  is_default_channel?: boolean;

  @BooleanParameter({ description: 'Whether the notification bot announces the new channel. Default false.' })
  announce?: boolean;
}

/** Parameters of GET /streams. */
export class GetChannelsParameters {
  @BooleanParameter({ description: 'Whether to include all public channels. Default true.' })
  include_public?: boolean;

  @BooleanParameter({ description: 'Whether to include all web-public channels. Default false.' })
  include_web_public?: boolean;

  @BooleanParameter({
    description: 'Whether to include the channels that the caller is subscribed to. Default true.',
  })
  include_subscribed?: boolean;

  @BooleanParameter({ description: 'Whether to leave out archived channels. Default true.' })
  exclude_archived?: boolean;

  @BooleanParameter({
    description: 'Whether to include all channels that the caller may know of. Default false.',
  })
  include_all?: boolean;

  @BooleanParameter({ description: 'Deprecated: older name of `include_all`.' })
  include_all_active?: boolean;

  @BooleanParameter({
    description:
      'Whether to include the default channels. Each channel then has `is_default`. Default false.',
  })
  include_default?: boolean;

  @BooleanParameter({ description: 'Whether a bot gets the channels of its owner. Default false.' })
  include_owner_subscribed?: boolean;

  @BooleanParameter({
    description: 'Whether to include all channels that the caller may read. Default false.',
  })
  include_can_access_content?: boolean;
}

/** The selection in the form of the query. */
export function channelSelection(parameters: GetChannelsParameters): ChannelSelection {
  return {
    public: parameters.include_public ?? true,
    webPublic: parameters.include_web_public ?? false,
    subscribed: parameters.include_subscribed ?? true,
    all: parameters.include_all ?? parameters.include_all_active ?? false,
    readable: parameters.include_can_access_content ?? false,
    default: parameters.include_default ?? false,
    ownerSubscribed: parameters.include_owner_subscribed ?? false,
    archived: !(parameters.exclude_archived ?? true),
  };
}

/** Parameters of GET /get_stream_id. */
export class GetChannelIdParameters {
  @TextParameter({
    example: 'engines',
    required: true,
    description: 'Name of a channel, compared case-insensitively.',
  })
  stream!: string;
}

const Group = (): PropertyDecorator =>
  JsonParameter({
    maxItems: budgets.namedInPermission.max,
    schema: permissionChangeSchema,
    description: '`{"new": group-setting value, "old": the value that the client believes it has}`.',
  });

/** Parameters of PATCH /streams/{stream_id}. */
export class UpdateChannelParameters
  extends PostingParameters
  implements Partial<Record<keyof ChannelPermissions, PermissionChange>>
{
  @TextParameter({
    maxLength: limits.channelDescription,
    description: 'The new description: Markdown, at most 1024 code points.',
  })
  description?: string;

  @TextParameter({ maxLength: limits.channelName, description: 'The new name: 1 to 60 code points.' })
  new_name?: string;

  @BooleanParameter({ description: 'Whether the channel is private.' })
  is_private?: boolean;

  @BooleanParameter({ description: 'Whether everyone on the web may read the channel.' })
  is_web_public?: boolean;

  @BooleanParameter({
    description: 'Whether new subscribers of a private channel can read earlier messages.',
  })
  history_public_to_subscribers?: boolean;

  @BooleanParameter({
    description: 'Whether new accounts are subscribed to the channel. Administrators only.',
  })
  is_default_stream?: boolean;

  @BooleanParameter({
    description: 'Whether the channel is archived. False makes an archived channel active again.',
  })
  is_archived?: boolean;

  @JsonOrTextParameter({
    schema: z.union([z.number().int(), z.string()]),
    description: 'For how many days messages are kept, `unlimited` or `realm_default`. Owners only.',
  })
  message_retention_days?: number | string;

  @JsonOrTextParameter({
    values: topicsPolicySchema.options,
    schema: topicsPolicySchema,
    description: 'Which topics may be used.',
  })
  topics_policy?: TopicsPolicy;

  @IntegerParameter({
    nullable: true,
    description: 'The id of the folder that shows the channel; null: no folder.',
  })
  folder_id?: number | null;

  @Group()
  can_add_subscribers_group?: PermissionChange;

  @Group()
  can_administer_channel_group?: PermissionChange;

  @Group()
  can_create_topic_group?: PermissionChange;

  @Group()
  can_delete_any_message_group?: PermissionChange;

  @Group()
  can_delete_own_message_group?: PermissionChange;

  @Group()
  can_move_messages_out_of_channel_group?: PermissionChange;

  @Group()
  can_move_messages_within_channel_group?: PermissionChange;

  @Group()
  can_remove_subscribers_group?: PermissionChange;

  @Group()
  can_resolve_topics_group?: PermissionChange;

  @Group()
  can_send_message_group?: PermissionChange;

  @Group()
  can_subscribe_group?: PermissionChange;
}

/**
 * The changes in the form of the deciders.
 *
 * @throws ApplicationError for an invalid retention or an unknown posting policy
 */
export function channelChanges(parameters: UpdateChannelParameters): ChannelChanges {
  const { message_retention_days: retention } = parameters;
  const posting = postingGroup(parameters);
  return {
    name: parameters.new_name,
    description: parameters.description,
    isPrivate: parameters.is_private,
    isWebPublic: parameters.is_web_public,
    historyPublicToSubscribers: parameters.history_public_to_subscribers,
    isDefault: parameters.is_default_stream,
    isArchived: parameters.is_archived,
    messageRetentionDays: retention === undefined ? undefined : retentionDays(retention),
    topicsPolicy: parameters.topics_policy,
    folderId: parameters.folder_id,
    permissions: {
      ...(posting !== undefined && { can_send_message_group: { new: posting } }),
      ...permissionsIn<PermissionChange>(parameters),
    },
  };
}

/** Parameters of POST and DELETE /default_streams. */
export class DefaultChannelParameters {
  @IntegerParameter({ example: 1, required: true })
  stream_id!: number;
}
