import { randomInt } from 'node:crypto';

/** Number of codes for one person. */
const COUNT = 10;

/**
 * 31 digits and letters that cannot be confused with each other; ten of them are far too many combinations to
 * guess.
 */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';

const FORM = /^[2-9a-hjkmnp-z]{10}$/;

/** New codes of the form `xxxxx-xxxxx`, each of which can be used once in place of a one-time password. */
export function newRecoveryCodes(): readonly string[] {
  const codes = new Set<string>();
  while (codes.size < COUNT) {
    const letters = Array.from({ length: 10 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
    codes.add(`${letters.slice(0, 5)}-${letters.slice(5)}`);
  }
  return [...codes];
}

/** The compared form of a code, without blanks, hyphens and case. Null: it does not have the form of one. */
export function plainRecoveryCode(sent: string): string | null {
  const plain = sent.toLowerCase().replaceAll(/[\s-]/g, '');
  return FORM.test(plain) ? plain : null;
}
