import { hash } from 'node:crypto';
import type { Directory } from '../../access/directory.js';
import { apiEmail, isShownToEveryone } from '../../access/email-visibility.js';
import { ORGANIZATION_NUMBER } from '../../kernel/api-constants.js';
import type { User } from '../../access/records/user.js';

/** Path of the pictures of accounts, followed by the account's id and the file name. */
export const AVATARS_PATH = `/user_avatars/${ORGANIZATION_NUMBER}/`;

/**
 * The URL of an account's picture: on this server, or at the service that clients know, which derives one
 * from the address.
 *
 * @param clientGravatar whether the client computes URLs of that service itself
 * @returns null when it does; never null for the server's own bots, whose pictures clients do not compute,
 * nor for a hidden address, which the picture must not reveal
 */
export function avatarUrl(directory: Directory, user: User, clientGravatar: boolean): string | null {
  const isComputable =
    user.avatar === null && user.bot?.isSystem !== true && isShownToEveryone(directory, user);
  return clientGravatar && isComputable ? null : shownAvatarUrl(directory, user);
}

/** The URL of an account's picture, even if the client could compute it. */
export function shownAvatarUrl(directory: Directory, user: User): string {
  return pictureUrl(user, apiEmail(directory, user));
}

/** @param email the picture derives from it if the account has none of its own */
export function pictureUrl({ id, avatar, avatarVersion }: User, email: string): string {
  return avatar === null ? gravatarUrl(email, avatarVersion) : `${AVATARS_PATH}${id}/${avatar.fileName}`;
}

/** The URL of a larger picture. Pictures are stored at one size, so both URLs give the same one. */
export function mediumAvatarUrl(directory: Directory, user: User): string {
  const url = shownAvatarUrl(directory, user);
  return user.avatar === null ? `${url}&s=500` : url.replace(/(\.\w+)$/, `${MEDIUM_MARK}$1`);
}

/** What clients insert before the extension of a picture's name to get a larger one. */
const MEDIUM_MARK = '-medium';

/** The file name of a picture, from the name of either size. */
export function avatarFileName(fileName: string): string {
  return fileName.replace(new RegExp(`${MEDIUM_MARK}(\\.\\w+)$`), '$1');
}

/** `U`: a picture of the account's own; `G`: derived from the address. */
export function avatarSource({ avatar }: User): 'U' | 'G' {
  return avatar === null ? 'G' : 'U';
}

/** The URL of the picture that derives from an e-mail address. */
function gravatarUrl(email: string, version = 1): string {
  const digest = hash('md5', email.trim().toLowerCase());
  return `https://secure.gravatar.com/avatar/${digest}?d=identicon&version=${version}`;
}
