/** The id of the organization in the addresses of files: a server has exactly one organization. */
export const organizationNumber = 1;

/** How the empty topic is shown to clients that do not know it (docs/api/topics.md). */
export const emptyTopicDisplayName = 'general chat';
