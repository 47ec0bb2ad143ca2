import { hash } from 'node:crypto';
import type { Directory } from '../directory/directory.js';
import { apiEmail, isShownToEveryone } from '../directory/email-visibility.js';
import type { User } from './user.js';

/** Raised when an account gets another picture, so that clients fetch it anew; no account has one of its own yet. */
export const avatarVersion = 1;

/**
 * Where the picture of an account is: the service that clients know draws one from the address.
 *
 * @param clientGravatar whether the client computes such addresses itself
 * @returns null when it does; never for the server's own bots, whose pictures clients take as given, nor where the address
 * is hidden, from which the picture must not follow then
 */
export function avatarUrl(directory: Directory, user: User, clientGravatar: boolean): string | null {
  const isComputable = user.bot?.isSystem !== true && isShownToEveryone(directory, user);
  return clientGravatar && isComputable ? null : gravatarUrl(apiEmail(directory, user));
}

/** The picture that follows from an e-mail address. */
export function gravatarUrl(email: string): string {
  const digest = hash('md5', email.trim().toLowerCase());
  return `https://secure.gravatar.com/avatar/${digest}?d=identicon&version=${avatarVersion}`;
}
