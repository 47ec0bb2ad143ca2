import { Injectable } from '@nestjs/common';
import { Vault } from '../../stores/key-store/vault.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { PublicAddress } from '../../http/public-address.js';
import { EXTERNAL_SIGN_IN_PATH } from '../../http/authentication/external-methods.js';

/**
 * The cookies of a sign-in. `flow` holds the challenge until the provider's response arrives, by a redirect
 * from another site; `ticket` identifies the person until the browser requests its key, which only a page of
 * this server does.
 */
const kinds = {
  flow: { name: 'palimpsest_sign_in', sameSite: 'Lax', seconds: 600 },
  ticket: { name: 'palimpsest_ticket', sameSite: 'Strict', seconds: 120 },
} as const;

type CookieKind = keyof typeof kinds;

/** Longer cookies were not made by this server. */
const MAX_CHARACTERS = 4096;

/**
 * Cookies that only this server reads and writes: encrypted under a key derived from `server.key`, valid for
 * minutes. They bind a sign-in to one browser without stored state, whichever process handles the next
 * request.
 */
@Injectable()
export class EncryptedCookies {
  constructor(
    private readonly vault: Vault,
    private readonly address: PublicAddress,
    private readonly clock: SystemClock,
  ) {}

  /** A `Set-Cookie` header with encrypted values. */
  async seal(kind: CookieKind, values: Readonly<Record<string, string | number | null>>): Promise<string> {
    const { EncryptJWT } = await import('jose');
    const { seconds } = kinds[kind];
    const expiry = Math.floor(this.clock.now() / 1000) + seconds;
    const sealed = await new EncryptJWT(values)
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setExpirationTime(expiry)
      .encrypt(this.key(kind));
    return this.written(kind, sealed, seconds);
  }

  /** The values of a cookie; null when the browser sent none that is valid. */
  async open(
    kind: CookieKind,
    header: string | undefined,
  ): Promise<Readonly<Record<string, unknown>> | null> {
    const { errors, jwtDecrypt } = await import('jose');
    const prefix = `${kinds[kind].name}=`;
    const sent = (header ?? '').split(/; */).find((pair) => pair.startsWith(prefix));
    const sealed = sent?.slice(prefix.length) ?? '';
    if (sealed === '' || sealed.length > MAX_CHARACTERS) return null;
    try {
      const options = {
        currentDate: new Date(this.clock.now()),
        requiredClaims: ['exp'],
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      };
      return (await jwtDecrypt(sealed, this.key(kind), options)).payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }

  /** A `Set-Cookie` that removes it. */
  clear(kind: CookieKind): string {
    return this.written(kind, '', 0);
  }

  private written(kind: CookieKind, value: string, seconds: number): string {
    const { name, sameSite } = kinds[kind];
    const secure = this.address.url.startsWith('https:') ? '; Secure' : '';
    return `${name}=${value}; Path=/${EXTERNAL_SIGN_IN_PATH}; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}${secure}`;
  }

  private key(kind: CookieKind): Uint8Array {
    return Buffer.from(this.vault.linkDigest('sign-in cookie', kind), 'base64url');
  }
}
