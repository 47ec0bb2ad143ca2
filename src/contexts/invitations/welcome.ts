import { plainMarkdown, silentUserMention } from '../../markdown/written-names.js';
import type { OrganizationSettings } from '../../events/values/organization-settings.js';
import type { User } from '../../access/records/user.js';

/** What the welcome bot says first to everyone who joins. */
export function welcomeText({ name }: Pick<OrganizationSettings, 'name'>): string {
  return (
    `Hello, and welcome to ${plainMarkdown(name)}! 👋\n\n` +
    'This is a direct message: only you and I see it. Conversations with more people happen in **channels**, ' +
    'each about a subject; every message in a channel has a **topic**, so that several conversations can go on at once.\n\n' +
    'To start, look at the channels that you are subscribed to, and say hello in one of them.'
  );
}

/**
 * What else it says; null: nothing.
 *
 * @param sent with the invitation: null for the organization's own text, empty for nothing
 */
export function customWelcome(
  settings: Pick<OrganizationSettings, 'welcome_message_custom_text'>,
  sent: string | null,
): string | null {
  const text = (sent ?? settings.welcome_message_custom_text).trim();
  return text === '' ? null : text;
}

/** What the inviter is told. */
export function joinedNotice(user: User, { name }: Pick<OrganizationSettings, 'name'>): string {
  return `${silentUserMention(user)} accepted your invitation to join ${plainMarkdown(name)}!`;
}
