import { hash } from 'node:crypto';
import type { User } from './user.js';

/** Raised when somebody's picture changes, so that clients fetch it anew; pictures of one's own come later. */
export const firstAvatarVersion = 1;

/**
 * Address of an account's picture: it follows from the e-mail address, by the convention that clients share.
 *
 * @param clientGravatar whether the client computes it from the address itself; then null (specification, "Message")
 */
export function avatarUrl({ email, bot }: User, clientGravatar: boolean): string | null {
  if (clientGravatar && bot?.isSystem !== true) return null;
  const digest = hash('md5', email.trim().toLowerCase());
  return `https://secure.gravatar.com/avatar/${digest}?d=identicon&version=${firstAvatarVersion}`;
}
