import type { ChannelSettings } from '../../src/contexts/channels/channel-settings.js';

/** Settings of a request that says nothing: a public channel. */
export const defaultChannelSettings: ChannelSettings = {
  inviteOnly: false,
  isWebPublic: false,
  historyPublicToSubscribers: null,
  isDefault: false,
  messageRetentionDays: undefined,
  topicsPolicy: null,
  folderId: null,
  permissions: {},
};
