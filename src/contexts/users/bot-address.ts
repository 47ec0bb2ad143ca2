import { requiredText } from '../../kernel/text.js';
import type { PublicAddress } from '../../http/public-address.js';

/** Maximum length in code points: with the suffix `-bot` it must fit before the @ of an address. */
const maxShortNameLength = 60;

/**
 * The address of a bot.
 *
 * @throws ApplicationError for a short name that is empty or too long
 */
export function botAddress(shortName: string, { domain }: Pick<PublicAddress, 'domain'>): string {
  return `${requiredText(shortName, { name: 'short_name', max: maxShortNameLength })}-bot@${domain}`;
}
