/** The id of the organization in the addresses of files: a server has exactly one organization. */
export const organizationNumber = 1;

/** How the empty topic is shown to clients that do not know it (specification, "What the service does", 6). */
export const emptyTopicDisplayName = 'general chat';
