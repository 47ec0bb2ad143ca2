import { failure } from '../kernel/errors.js';

const MAX_LENGTH = 254;
const shape = /^[^\s@"'<>(),:;\\[\]]{1,64}@[^\s@"'<>(),:;\\[\]]+$/u;
const unprintable = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;

/**
 * An e-mail address as it is kept: trimmed, its case as it was written.
 *
 * @throws ApplicationError `emailInvalid`
 */
export function emailAddressOf(sent: string): string {
  const email = sent.trim();
  if (email.length > MAX_LENGTH || !shape.test(email) || unprintable.test(email))
    throw failure('emailInvalid');
  return email;
}
