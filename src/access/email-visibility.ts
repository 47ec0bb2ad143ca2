import { isAdministrator, isGuest, isModerator } from './records/roles.js';
import type { User } from './records/user.js';
import type { Directory } from './directory.js';

/** The values of the setting `email_address_visibility` (specification, "User settings"). */
const visibleTo = { everyone: 1, members: 2, administrators: 3, nobody: 4, moderators: 5 } as const;

/** No mail ever goes to a name under it (RFC 2606). */
const hiddenDomain = 'palimpsest.invalid';
const hiddenAddress = new RegExp(`^user(\\d{1,15})@${hiddenDomain.replace('.', '\\.')}$`, 'i');

/**
 * The address by which everyone may name an account (specification, "User object", `email`): its own where everybody may know
 * that, otherwise one that only looks like an address.
 */
export function apiEmail(directory: Directory, user: User): string {
  return isShownToEveryone(directory, user) ? user.email : hiddenEmail(user.id);
}

/** What stands for the address of an account where it is hidden. */
export function hiddenEmail(userId: number): string {
  return `user${userId}@${hiddenDomain}`;
}

/** Whether everybody may know an account’s own address; those of bots are no secret. */
export function isShownToEveryone({ settings }: Directory, { id, bot }: User): boolean {
  return bot !== null || settings.value(id, 'email_address_visibility') === visibleTo.everyone;
}

/** The account’s own address as the viewer may know it; null when they may not (specification, `delivery_email`). */
export function deliveryEmail(directory: Directory, user: User, viewer: User): string | null {
  return maySeeEmail(directory, user, viewer) ? user.email : null;
}

function maySeeEmail(directory: Directory, user: User, viewer: User): boolean {
  if (user.id === viewer.id || user.bot !== null) return true;
  const visibility = directory.settings.value(user.id, 'email_address_visibility');
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

/** The account that an address of {@link apiEmail} for hidden ones stands for; null when it is none. */
export function userOfHiddenEmail(directory: Directory, email: string): User | null {
  const id = hiddenAddress.exec(email.trim())?.[1];
  return id === undefined ? null : directory.user(Number(id));
}

/** The account of an address that the viewer may know; null where they may not, as where there is none. */
export function visibleUser(directory: Directory, user: User | null, viewer: User): User | null {
  return user !== null && maySeeEmail(directory, user, viewer) ? user : null;
}
