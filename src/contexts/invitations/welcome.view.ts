import { plainMarkdown, silentUserMention } from '../../markdown/written-names.js';
import type { OrganizationSettings } from '../../events/values/organization-settings.js';
import type { User } from '../../access/records/user.js';

/** The first message of the welcome bot to new people. */
export function welcomeText({ name }: Pick<OrganizationSettings, 'name'>): string {
  return (
    `Hello, and welcome to ${plainMarkdown(name)}! 👋\n\n` +
    'This is a direct message: only you and I see it. Conversations with more people happen in **channels**, ' +
    'each about a subject; every message in a channel has a **topic**, so that several conversations can go on at once.\n\n' +
    'To start, look at the channels that you are subscribed to, and say hello in one of them.'
  );
}

/**
 * The second message of the welcome bot; null: none.
 *
 * @param sent with the invitation: null for the organization's text, empty for none
 */
export function customWelcome(
  settings: Pick<OrganizationSettings, 'welcome_message_custom_text'>,
  sent: string | null,
): string | null {
  const text = (sent ?? settings.welcome_message_custom_text).trim();
  return text === '' ? null : text;
}

/** The notice to the inviter. */
export function joinedNotice(user: User, { name }: Pick<OrganizationSettings, 'name'>): string {
  return `${silentUserMention(user)} accepted your invitation to join ${plainMarkdown(name)}!`;
}
