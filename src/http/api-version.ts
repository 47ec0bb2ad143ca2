/** What of the API this server speaks (specification, "Versioning"). Clients read the level to know what they may use. */
export const apiVersion = {
  zulip_version: '12.0',
  zulip_merge_base: '12.0',
  zulip_feature_level: 505,
} as const;
