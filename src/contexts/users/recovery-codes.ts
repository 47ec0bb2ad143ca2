import { randomInt } from 'node:crypto';

/** How many somebody is given. */
const COUNT = 10;

/** Digits and letters that nobody takes for others: 31, so that ten of them are far beyond guessing. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';

const FORM = /^[2-9a-hjkmnp-z]{10}$/;

/** New codes, each to be used once in place of a one-time password: `xxxxx-xxxxx`. */
export function newRecoveryCodes(): readonly string[] {
  const codes = new Set<string>();
  while (codes.size < COUNT) {
    const letters = Array.from({ length: 10 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
    codes.add(`${letters.slice(0, 5)}-${letters.slice(5)}`);
  }
  return [...codes];
}

/** A code as it is compared: blanks, hyphens and case are how people write it. Null: it has not the form of one. */
export function plainRecoveryCode(sent: string): string | null {
  const plain = sent.toLowerCase().replaceAll(/[\s-]/g, '');
  return FORM.test(plain) ? plain : null;
}
