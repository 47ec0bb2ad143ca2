import { limits } from '../../organization/defaults.js';
import { organizationState } from '../../organization/views/organization-state.js';
import { supportedPermissions } from '../../organization/views/supported-permissions.js';
import type { InitialState } from './initial-state.js';

/** The organization, its settings, and what this server can do. */
export const realmState: InitialState = {
  realm: ({ moment: { directory }, site }) => ({
    ...(directory.organization !== null && organizationState(directory.organization)),
    server_supported_permission_settings: supportedPermissions,
    realm_url: site,
    realm_uri: site,
    max_topic_length: limits.topic,
    max_message_length: limits.message,
    max_stream_name_length: limits.channelName,
    max_stream_description_length: limits.channelDescription,
    event_queue_longpoll_timeout_seconds: 90,
  }),
};
