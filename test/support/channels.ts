import type { ChannelCreated } from '../../src/events/channels.js';
import type { EventOf } from '../../src/kernel/event.js';
import type { TestOrganization } from './organization.js';

type Created = EventOf<typeof ChannelCreated>['data'];

/** Creates a channel in a test's organization, by default a public one, and returns its id. */
export function createChannel(
  organization: TestOrganization,
  subscriberIds: readonly number[],
  given: Partial<Created> = {},
): number {
  const channelId = organization.log.events.filter(({ stream }) => stream === 'channels').length + 1;
  const data: Created = {
    ...ordinaryChannel,
    channelId,
    name: `channel ${channelId}`,
    subscriberIds: [...subscriberIds],
    ...given,
  };
  organization.log.append('channels', [{ type: 'ChannelCreated', data }]);
  return channelId;
}

const nobody = 8;
const everyone = 2;

/** Defaults of created channels. */
export const ordinaryChannel: Omit<Created, 'channelId' | 'name' | 'subscriberIds'> = {
  description: '',
  creatorId: null,
  privacy: { inviteOnly: false, historyPublicToSubscribers: true, isWebPublic: false },
  permissions: {
    can_add_subscribers_group: nobody,
    can_administer_channel_group: nobody,
    can_create_topic_group: everyone,
    can_delete_any_message_group: nobody,
    can_delete_own_message_group: nobody,
    can_move_messages_out_of_channel_group: nobody,
    can_move_messages_within_channel_group: nobody,
    can_remove_subscribers_group: nobody,
    can_resolve_topics_group: nobody,
    can_send_message_group: everyone,
    can_subscribe_group: nobody,
  },
  topicsPolicy: 'inherit',
  messageRetentionDays: null,
  folderId: null,
  isDefault: false,
  color: null,
  announced: false,
  continuation: [],
  notify: false,
};
