/** What addresses of files call the organization: a server has one. */
export const organizationNumber = 1;

/** How the empty topic is shown to clients that do not know it (specification, "What the service does", 6). */
export const emptyTopicDisplayName = 'general chat';
