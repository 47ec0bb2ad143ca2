import { z } from 'zod';
import {
  BooleanParameter,
  IntegerParameter,
  JsonOrTextParameter,
  JsonParameter,
  TextParameter,
} from '../../../http/parameters/parameter-decorators.js';
import { permissionChangeSchema, type PermissionChange } from '../../../events/values/group-setting.js';
import type { ChannelChanges } from '../channel-changes.decide.js';
import { retentionDays } from '../channel-settings.js';
import { topicsPolicySchema, type ChannelPermissions, type TopicsPolicy } from '../../../events/channels.js';
import { postingGroup, PostingParameters, sentPermissions } from './channel-settings.parameters.js';

const Group = (): PropertyDecorator =>
  JsonParameter({
    schema: permissionChangeSchema,
    description: '`{"new": group-setting value, "old": the value that the client believes it has}`.',
  });

/** Parameters of PATCH /streams/{stream_id} (facts, sections 1 and 5). */
export class UpdateChannelParameters
  extends PostingParameters
  implements Partial<Record<keyof ChannelPermissions, PermissionChange>>
{
  @TextParameter({ description: 'Markdown, at most 1024 code points.' })
  description?: string;

  @TextParameter({ description: 'The new name: 1 to 60 code points.' })
  new_name?: string;

  @BooleanParameter({ description: 'Private or public.' })
  is_private?: boolean;

  @BooleanParameter({ description: 'Whether everyone on the web may read it.' })
  is_web_public?: boolean;

  @BooleanParameter({ description: 'Whether new subscribers of a private channel see what was said before.' })
  history_public_to_subscribers?: boolean;

  @BooleanParameter({ description: 'Whether new people are subscribed to it. Administrators only.' })
  is_default_stream?: boolean;

  @BooleanParameter({ description: 'False opens an archived channel again.' })
  is_archived?: boolean;

  @JsonOrTextParameter({
    schema: z.union([z.number().int(), z.string()]),
    description: 'Days that messages are kept, `unlimited` or `realm_default`. Owners only.',
  })
  message_retention_days?: number | string;

  @JsonOrTextParameter({ schema: topicsPolicySchema, description: 'Which topics may be used.' })
  topics_policy?: TopicsPolicy;

  @IntegerParameter({ nullable: true, description: 'The folder to show it in; null: none.' })
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

/** The changes as the domain knows them. @throws ApplicationError for a retention or posting policy that there is not */
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
      ...sentPermissions<PermissionChange>(parameters),
    },
  };
}
