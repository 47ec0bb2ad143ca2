import { hash } from 'node:crypto';
import type { Directory } from '../../access/directory.js';
import { apiEmail, isShownToEveryone } from '../../access/email-visibility.js';
import { organizationNumber } from '../../kernel/api-constants.js';
import type { User } from '../../access/records/user.js';

/** Where pictures of accounts are served: behind it come the account's id and the name of the file. */
export const avatarsPath = `/user_avatars/${organizationNumber}/`;

/**
 * Where the picture of an account is: on this server, or with the service that clients know, which draws one from the address.
 *
 * @param clientGravatar whether the client computes addresses of that service itself
 * @returns null when it does; never for the server's own bots, whose pictures clients take as given, nor where the address
 * is hidden, from which the picture must not follow then
 */
export function avatarUrl(directory: Directory, user: User, clientGravatar: boolean): string | null {
  const isComputable =
    user.avatar === null && user.bot?.isSystem !== true && isShownToEveryone(directory, user);
  return clientGravatar && isComputable ? null : shownAvatarUrl(directory, user);
}

/** The same whatever the client can compute. */
export function shownAvatarUrl(directory: Directory, user: User): string {
  return pictureUrl(user, apiEmail(directory, user));
}

/** @param email what the picture follows from where the account has none of its own */
export function pictureUrl({ id, avatar, avatarVersion }: User, email: string): string {
  return avatar === null ? gravatarUrl(email, avatarVersion) : `${avatarsPath}${id}/${avatar.fileName}`;
}

/** The same, for where there is more room. Pictures are kept as they came: both addresses answer the same one. */
export function mediumAvatarUrl(directory: Directory, user: User): string {
  const url = shownAvatarUrl(directory, user);
  return user.avatar === null ? `${url}&s=500` : url.replace(/(\.\w+)$/, `${mediumMark}$1`);
}

/** What clients put before the ending of a picture's name where they have more room. */
const mediumMark = '-medium';

/** The name of the file that a picture is kept as, whichever of its names it is asked for by. */
export function avatarFileName(asked: string): string {
  return asked.replace(new RegExp(`${mediumMark}(\\.\\w+)$`), '$1');
}

/** `U`: a picture of the account's own; `G`: what follows from the address. */
export function avatarSource({ avatar }: User): 'U' | 'G' {
  return avatar === null ? 'G' : 'U';
}

/** The picture that follows from an e-mail address. */
export function gravatarUrl(email: string, version = 1): string {
  const digest = hash('md5', email.trim().toLowerCase());
  return `https://secure.gravatar.com/avatar/${digest}?d=identicon&version=${version}`;
}
