import { stream } from '../../kernel/stream.js';
import type { Fold } from '../../kernel/decider.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { PersistentMap } from '../../kernel/persistent-map.js';
import type { UserEvent } from '../../events/users.js';
import { isOwner } from '../../access/records/roles.js';
import { evolveUser, type User } from '../../access/records/user.js';

/** The stream that claims e-mail addresses and holds roles and who is active. */
export const usersStream = 'users';

/** All accounts, as the stream `users` tells: what addresses, and the last owner, are decided by. */
export interface UserDirectory {
  readonly users: PersistentMap<number, User>;
  readonly idsByEmailDigest: PersistentMap<string, number>;
  /** How many people own the organization: active ones, no bots. */
  readonly activeOwners: number;
  /** Revision that the next event of the stream will have. */
  readonly nextRevision: number;
}

/** How the accounts follow from the stream `users`. */
export const userDirectoryFold: Fold<UserDirectory, RecordedEvent<UserEvent>> = {
  snapshot: { name: 'users', version: 4 },
  initial: {
    users: PersistentMap.empty(),
    idsByEmailDigest: PersistentMap.empty(),
    activeOwners: 0,
    nextRevision: 0,
  },
  evolve(directory, event) {
    const nextRevision = event.revision + 1;
    const before = directory.users.get(event.data.userId) ?? null;
    const user = evolveUser(before, event);
    if (user === null) return { ...directory, nextRevision };
    return {
      users: directory.users.set(user.id, user),
      idsByEmailDigest: claimed(directory.idsByEmailDigest, before, user),
      activeOwners: directory.activeOwners + Number(isActiveOwner(user)) - Number(isActiveOwner(before)),
      nextRevision,
    };
  },
};

/** The stream of the accounts, for decisions about them. */
export const foldedUsers = stream(usersStream, userDirectoryFold);

/** An address that was given up is free for others. */
function claimed(
  ids: UserDirectory['idsByEmailDigest'],
  before: User | null,
  { id, emailDigest }: User,
): UserDirectory['idsByEmailDigest'] {
  if (before?.emailDigest === emailDigest) return ids;
  return (before === null ? ids : ids.delete(before.emailDigest)).set(emailDigest, id);
}

function isActiveOwner(user: User | null): boolean {
  return user !== null && user.bot === null && user.isActive && isOwner(user);
}

/** Whether nobody would own the organization any more if this account lost its role or were deactivated. */
export function isLastOwner({ activeOwners }: UserDirectory, user: User): boolean {
  return activeOwners === 1 && isActiveOwner(user);
}

/**
 * The account of a person or of somebody's bot. The server's own bots are not there to be changed.
 *
 * @throws ApplicationError `noSuchUser`
 */
export function changeableUser({ users }: UserDirectory, userId: number): User {
  const user = users.get(userId);
  if (user === undefined || user.bot?.isSystem === true) throw failure('noSuchUser');
  return user;
}

/**
 * The active account that acts, looked up in the very state that guards the decision: the directory may be behind it.
 *
 * @throws ApplicationError `accountDeactivated` when it was deactivated since the request was let in
 */
export function actingUser({ users }: UserDirectory, userId: number): User {
  const user = users.get(userId);
  if (user?.isActive !== true) throw failure('accountDeactivated');
  return user;
}

/**
 * Refuses a person one bot more than they may have, deactivated ones included.
 *
 * @throws ApplicationError `tooManyBots`
 */
export function assertMayOwnAnotherBot({ users }: UserDirectory, ownerId: number): void {
  let count = 0;
  for (const { bot } of users.values()) count += Number(bot?.ownerId === ownerId);
  if (count >= budgets.botsOfPerson.max) throw failure('tooManyBots');
}

/** The bots of a person that are active. */
export function activeBotsOf(state: UserDirectory, ownerId: number): User[] {
  return botsOf(state, ownerId).filter(({ isActive }) => isActive);
}

/** The bots of a person, those that are deactivated among them, oldest first. */
export function botsOf({ users }: UserDirectory, ownerId: number): User[] {
  const bots = [...users.values()].filter(({ bot }) => bot?.ownerId === ownerId);
  return bots.sort((a, b) => a.id - b.id);
}
