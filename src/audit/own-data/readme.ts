import { names } from '../cases/bundle/format.js';

/** The account and what belongs to it, as the API shows it. */
export const accountEntry = 'account.json';

/** The history of the account. */
export const eventsEntry = 'events.ndjson';

/** The text that explains the copy to its reader. @param now ISO 8601 */
export function readmeText(now: string): string {
  return `Everything that is stored about you, as of ${now}.

${accountEntry}     your account, profile and settings, status, subscriptions, API keys (never the keys themselves), devices, bots, drafts,
                 scheduled messages, reminders, snippets, alert words, muted people, topic policies, stars and files
pages/           your messages, and direct messages to you, to read in any browser
${names.messages}  the same to process, a JSON object a line
${names.table}     the same as a table, a line for each version (UTF-8)
${eventsEntry}    what happened to your account, a JSON object a line: logging in and from where, keys, names, roles, settings
${names.files}        your files, and where they are in this copy
files/           the files themselves

Of your own messages every version is here, also of those that were deleted, as long as it is not erased. Of what others wrote to you directly
there is what it says now. Names and topics of channels that you cannot read are left out.
`;
}
