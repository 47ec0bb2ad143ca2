import type { Role } from '../../events/users.js';
import { failure } from '../../kernel/errors.js';
import type { User } from './user.js';

/** The roles by name; the smaller the number, the more permissions. */
export const roles = {
  owner: 100,
  administrator: 200,
  moderator: 300,
  member: 400,
  guest: 600,
} as const satisfies Record<string, Role>;

/** Whether a role is not higher than an account's own: nobody sees or changes accounts with a higher one. */
export function isWithinRole({ role: own }: Pick<User, 'role'>, role: Role): boolean {
  return role >= own;
}

export function isOwner(user: User): boolean {
  return user.role === roles.owner;
}

/** Whether the account is that of a person who owns the organization, and is not deactivated. */
export function isActiveOwner(user: User): boolean {
  return user.bot === null && user.isActive && isOwner(user);
}

/** Owners are administrators. */
export function isAdministrator(user: User): boolean {
  return user.role <= roles.administrator;
}

/** @throws ApplicationError `administratorRequired` */
export function assertAdministrator(user: User): void {
  if (!isAdministrator(user)) throw failure('administratorRequired');
}

/** Administrators and owners are moderators. */
export function isModerator(user: User): boolean {
  return user.role <= roles.moderator;
}

export function isGuest(user: User): boolean {
  return user.role === roles.guest;
}
