import type { ChannelSettings } from '../../src/contexts/channels/channel-settings.js';

/** The default settings of a new channel: public. */
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
