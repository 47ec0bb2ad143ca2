import { isEmail } from 'class-validator';
import { failure } from '../../kernel/errors.js';

const MAX_LENGTH = 254;
/** What mail allows, but only within quotes or brackets, which clients do not expect in an address. */
const quoting = /["<>()[\]\\]/;

/**
 * An e-mail address as it is kept: trimmed, its case as it was written. `localhost` is the one domain of a single label.
 *
 * @throws ApplicationError `emailInvalid`
 */
export function emailAddressOf(sent: string): string {
  const email = sent.trim();
  if (email.length > MAX_LENGTH || quoting.test(email) || !isEmail(email, shapeOf(email))) {
    throw failure('emailInvalid');
  }
  return email;
}

function shapeOf(email: string): { readonly require_tld: boolean } {
  return { require_tld: !email.toLowerCase().endsWith('@localhost') };
}
