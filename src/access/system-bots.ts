/** An account of the server's own, as a new organization gets it. */
export interface SystemBot {
  readonly id: number;
  readonly email: string;
  readonly fullName: string;
}

/**
 * The server's own accounts, the first of the stream `users`. Clients know them by these addresses, whatever
 * the organization's own domain is.
 */
export const systemBots = [
  { id: 1, email: 'notification-bot@zulip.com', fullName: 'Notification Bot' },
  { id: 2, email: 'welcome-bot@zulip.com', fullName: 'Welcome Bot' },
] as const;

/** Ids of the server's own accounts. */
export const systemBotIds = { notification: 1, welcome: 2 } as const;

/** Id of the account that the first start creates for the organization's owner. */
export const FIRST_OWNER_ID = 3;

/**
 * The sender of messages from incoming mail that names no other. A new organization has it from the start, so
 * that clients can name it; an older one gets it with the first such mail.
 */
export const emailGateway = { id: 4, email: 'emailgateway@zulip.com', fullName: 'Email Gateway' } as const;
