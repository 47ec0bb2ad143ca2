import type { Email } from './email.js';

/**
 * The header fields by which mail programs offer to unsubscribe: `List-Unsubscribe` (RFC 2369), and
 * `List-Unsubscribe-Post` (RFC 8058) for a single click, which is valid only with an `https:` URL.
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
