import { isAdministrator, isGuest, isModerator } from './records/roles.js';
import type { User } from './records/user.js';
import type { Directory } from './directory.js';

/** The values of the setting `email_address_visibility`. */
const visibleTo = { everyone: 1, members: 2, administrators: 3, nobody: 4, moderators: 5 } as const;

export type EmailVisibility = (typeof visibleTo)[keyof typeof visibleTo];

/** No mail is ever delivered to a name under this domain (RFC 2606). */
const HIDDEN_DOMAIN = 'palimpsest.invalid';
const hiddenAddress = new RegExp(`^user(\\d{1,15})@${HIDDEN_DOMAIN.replace('.', '\\.')}$`, 'i');

/**
 * The address of an account that everyone gets (`email` in the API): its own if everybody may know that, else
 * a made-up one.
 */
export function apiEmail(directory: Directory, user: User): string {
  return isShownToEveryone(directory, user) ? user.email : hiddenEmail(user.id);
}

/** The address of an account for a viewer: as {@link apiEmail} has it, or made up if the viewer may not know the account. */
export function emailFor(directory: Directory, user: User, isKnown: boolean): string {
  return isKnown ? apiEmail(directory, user) : hiddenEmail(user.id);
}

/** The addresses by which a viewer may name an account: the one that they get, and its own if they may know that. */
export function emailsKnownTo(viewer: User, directory: Directory, user: User): readonly string[] {
  const shown = apiEmail(directory, user);
  const own = deliveryEmail(directory, user, viewer);
  return own === null || own === shown ? [shown] : [shown, own];
}

/** The made-up address of an account whose own is hidden. */
export function hiddenEmail(userId: number): string {
  return `user${userId}@${HIDDEN_DOMAIN}`;
}

/** Whether everybody may know the account's own address; those of bots always. */
export function isShownToEveryone({ settings }: Directory, { id, bot }: User): boolean {
  return bot !== null || isPublic(settings.value(id, 'email_address_visibility'));
}

/** Whether a value of the setting `email_address_visibility` shows an address to everyone. */
export function isPublic(visibility: EmailVisibility): boolean {
  return visibility === visibleTo.everyone;
}

/** The account's own address; null when the viewer may not know it (`delivery_email` in the API). */
export function deliveryEmail(directory: Directory, user: User, viewer: User): string | null {
  return maySeeEmail(directory, user, viewer) ? user.email : null;
}

function maySeeEmail(directory: Directory, user: User, viewer: User): boolean {
  return seesEmail(viewer, user, directory.settings.value(user.id, 'email_address_visibility'));
}

/** Whether a viewer may know the address of an account whose setting `email_address_visibility` has this value. */
export function seesEmail(viewer: User, user: User, visibility: EmailVisibility): boolean {
  if (user.id === viewer.id || user.bot !== null) return true;
  switch (visibility) {
    case visibleTo.everyone:
      return true;
    case visibleTo.members:
      return !isGuest(viewer);
    case visibleTo.moderators:
      return isModerator(viewer);
    case visibleTo.administrators:
      return isAdministrator(viewer);
    case visibleTo.nobody:
      return false;
  }
}

/** The account of an address that {@link hiddenEmail} made; null for any other address. */
export function userOfHiddenEmail(directory: Directory, email: string): User | null {
  const id = hiddenAddress.exec(email.trim())?.[1];
  return id === undefined ? null : directory.user(Number(id));
}

/**
 * The account that was found by its own address; null when the viewer may not know that address, the same as
 * if there were no account.
 */
export function visibleUser(directory: Directory, user: User | null, viewer: User): User | null {
  return user !== null && maySeeEmail(directory, user, viewer) ? user : null;
}
