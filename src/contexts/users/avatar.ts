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
  if (avatar === null) return gravatarUrl(email, avatarVersion);
  return `${AVATARS_PATH}${id}/${avatarFileNames(avatar.fileName).shown}`;
}

/** The URL of a larger picture. Pictures are stored at one size, so both URLs give the same one. */
export function mediumAvatarUrl(directory: Directory, user: User): string {
  const url = shownAvatarUrl(directory, user);
  return user.avatar === null ? `${url}&s=500` : url.replace(/\.png$/, MEDIUM_ENDING);
}

/** What clients put in place of `.png` at the end of a picture's URL, or after any other name, to get a larger one. */
const MEDIUM_ENDING = '-medium.png';

/** The names under which a picture can be requested. */
interface AvatarFileNames {
  /**
   * The name in new URLs. It ends in `.png` whatever the type of the picture, because clients make the name of the
   * larger one from that ending; the content type of the reply says what the picture is.
   */
  readonly shown: string;
  readonly all: readonly string[];
}

/**
 * The names of a picture. Until they ended in `.png`, URLs had the extension of the type, and clients keep them.
 *
 * @param stored the name in the event, with the extension of the picture's type
 */
export function avatarFileNames(stored: string): AvatarFileNames {
  const [, stem = stored, extension = ''] = /^(.*)(\.\w+)$/.exec(stored) ?? [];
  const shown = `${stem}.png`;
  const medium = [`${stem}${MEDIUM_ENDING}`, `${stem}-medium${extension}`, `${stored}${MEDIUM_ENDING}`];
  return { shown, all: [shown, stored, ...medium] };
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
