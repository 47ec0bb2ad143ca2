import { randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** Seconds for which one password is valid (RFC 6238, section 5.2). */
const PERIOD = 30;

/**
 * Number of time steps before and after the present one whose passwords are accepted, because clocks differ
 * and people type slowly.
 */
const WINDOW = 1;

/** Bytes of a secret: the length of the hash (RFC 4226, section 4). */
const SECRET_BYTES = 20;

/** What a secret is displayed with. */
export interface SecretLabel {
  /** Name of the organization. */
  readonly issuer: string;
  /** Address of the account. */
  readonly account: string;
}

/** A new secret, in base32. */
export function newSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The URI by which authenticator apps import a secret, typically from a QR code. */
export function secretUri(secret: string, { issuer, account }: SecretLabel): string {
  return passwordsOf(secret, { issuer, account }).toString();
}

/**
 * The time step of a password; null: it belongs to none of the accepted steps. Passwords are compared in
 * constant time.
 *
 * @param now milliseconds since the UNIX epoch
 */
export function stepOf(secret: string, password: string, now: number): number | null {
  if (!/^\d{6}$/.test(password)) return null;
  const delta = passwordsOf(secret).validate({ token: password, timestamp: now, window: WINDOW });
  return delta === null ? null : Math.floor(now / 1000 / PERIOD) + delta;
}

/** The parameters that every authenticator app supports (RFC 6238): SHA-1, six digits. */
function passwordsOf(secret: string, label?: SecretLabel): TOTP {
  const names = label === undefined ? {} : { issuer: label.issuer, label: label.account };
  return new TOTP({
    ...names,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD,
  });
}

/** Number of codes for one person. */
const COUNT = 10;

/**
 * 31 digits and letters that cannot be confused with each other; ten of them are far too many combinations to
 * guess.
 */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';

const passwordForm = /^[2-9a-hjkmnp-z]{10}$/;

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
  return passwordForm.test(plain) ? plain : null;
}
