/** How the empty topic is shown to clients that do not know it (specification, "What the service does", 6). */
export const emptyTopicDisplayName = 'general chat';
