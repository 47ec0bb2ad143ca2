/**
 * The server's own accounts, the first of the stream `users`. Clients know them by these addresses, whatever the
 * organization's own domain is.
 */
export const systemBots = [
  { id: 1, email: 'notification-bot@zulip.com', fullName: 'Notification Bot' },
  { id: 2, email: 'welcome-bot@zulip.com', fullName: 'Welcome Bot' },
] as const;

/** Ids of the server's own accounts. */
export const systemBotIds = { notification: 1, welcome: 2 } as const;

/** Id of the account that the first start makes for the organization's owner. */
export const firstOwnerId = 3;
