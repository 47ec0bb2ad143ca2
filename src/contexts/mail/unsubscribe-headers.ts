import type { Email } from './email.js';

/**
 * The header fields by which mail programs offer their reader to end e-mails of a kind: `List-Unsubscribe` (RFC 2369), and
 * `List-Unsubscribe-Post` (RFC 8058), which lets them do it by one click and stands only beside an address that begins with `https:`.
 *
 * @returns name and value of each
 */
export function unsubscribeHeaders({
  unsubscribeUrl: url,
}: Pick<Email, 'unsubscribeUrl'>): Record<string, string> {
  if (url === undefined) return {};
  const named = { 'List-Unsubscribe': `<${url}>` };
  return url.startsWith('https:')
    ? { ...named, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
    : named;
}
