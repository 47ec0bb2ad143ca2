import { isEmail } from 'class-validator';
import { failure } from '../../kernel/errors.js';

/** Maximum length of an e-mail address, in UTF-16 units. */
export const MAX_ADDRESS_LENGTH = 254;
/** Characters that mail allows only within quotes or brackets; clients do not expect them in an address. */
const quoting = /["<>()[\]\\]/;

/**
 * The stored form of an e-mail address: trimmed, in its original case. `localhost` is the only accepted
 * domain with a single label.
 *
 * @throws ApplicationError `emailInvalid`
 */
export function emailAddressOf(sent: string): string {
  const email = sent.trim();
  if (email.length > MAX_ADDRESS_LENGTH || quoting.test(email) || !isEmail(email, shapeOf(email))) {
    throw failure('emailInvalid');
  }
  return email;
}

function shapeOf(email: string): { readonly require_tld: boolean } {
  return { require_tld: !email.toLowerCase().endsWith('@localhost') };
}
