/** The id of the organization in the addresses of files: a server has exactly one organization. */
export const ORGANIZATION_NUMBER = 1;

/** How the empty topic is shown to clients that do not know it (docs/api/topics.md). */
export const EMPTY_TOPIC_DISPLAY_NAME = 'general chat';

/** The API versions that this server supports. Clients compare the feature level with what they need. */
export const apiVersion = {
  zulip_version: '12.0',
  zulip_merge_base: '12.0',
  zulip_feature_level: 505,
} as const;
