import { hash } from 'node:crypto';
import type { User } from './user.js';

/** Raised when an account gets another picture, so that clients fetch it anew; no account has one of its own yet. */
export const avatarVersion = 1;

/**
 * Where the picture of an account is: the service that clients know draws one from the address.
 *
 * @param clientGravatar whether the client computes such addresses itself
 * @returns null when it does; never for the server's own bots, whose pictures clients take as given
 */
export function avatarUrl(user: User, clientGravatar: boolean): string | null {
  return clientGravatar && user.bot?.isSystem !== true ? null : gravatarUrl(user.email);
}

/** The picture that follows from an e-mail address. */
export function gravatarUrl(email: string): string {
  const digest = hash('md5', email.trim().toLowerCase());
  return `https://secure.gravatar.com/avatar/${digest}?d=identicon&version=${avatarVersion}`;
}
