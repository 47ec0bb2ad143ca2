/** The API versions that this server supports. Clients compare the feature level with what they need. */
export const apiVersion = {
  zulip_version: '12.0',
  zulip_merge_base: '12.0',
  zulip_feature_level: 505,
} as const;
