import { timingSafeEqual } from 'node:crypto';
import type { Vault } from './vault.js';

/** The purpose of a link: a token for one purpose is invalid for another. */
export type LinkPurpose =
  'invitation' | 'invitation-link' | 'email-change' | 'password-reset' | 'channel-email' | 'unsubscribe';

/**
 * Tokens of links that authenticate whoever follows them. A token is a name and an HMAC of it under the server's key. Nothing is stored, so
 * no event or read model contains a secret. The name includes everything whose change must invalidate older tokens, such as a generation.
 */
export class LinkTokens {
  constructor(private readonly vault: Pick<Vault, 'linkDigest'>) {}

  /** A token that is safe in URLs. */
  issue(purpose: LinkPurpose, name: string): string {
    return `${Buffer.from(name).toString('base64url')}.${this.vault.linkDigest(purpose, name)}`;
  }

  /** The name that a token was issued for; null: it was not issued here for that purpose. */
  open(purpose: LinkPurpose, token: string): string | null {
    const [encoded = '', digest = '', ...rest] = token.split('.');
    const name = Buffer.from(encoded, 'base64url').toString();
    const given = Buffer.from(digest);
    const expected = Buffer.from(this.vault.linkDigest(purpose, name));
    const isGenuine = given.length === expected.length && timingSafeEqual(given, expected);
    return isGenuine && rest.length === 0 ? name : null;
  }
}
