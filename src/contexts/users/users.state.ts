import { stream } from '../../kernel/decision.js';
import type { Fold } from '../../kernel/fold.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { PersistentMap } from '../../kernel/persistent-map.js';
import type { UserEvent } from '../../events/users.js';
import { isActiveOwner } from '../../access/records/roles.js';
import { evolveUser, type User } from '../../access/records/user.js';

/** The stream that reserves e-mail addresses and holds roles and whether accounts are active. */
export const USERS_STREAM = 'users';

/**
 * All accounts, folded from the stream `users`: decisions about addresses and the last owner depend on it.
 */
export interface UserDirectory {
  readonly users: PersistentMap<number, User>;
  readonly idsByEmailDigest: PersistentMap<string, number>;
  /** How many owners the organization has: active people only. */
  readonly activeOwners: number;
  /** Revision of the stream's next event. */
  readonly nextRevision: number;
}

/** Folds the stream `users`. */
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
      activeOwners:
        directory.activeOwners +
        Number(isActiveOwner(user)) -
        Number(before !== null && isActiveOwner(before)),
      nextRevision,
    };
  },
};

/** The stream of the accounts, for decisions about them. */
export const foldedUsers = stream(USERS_STREAM, userDirectoryFold);

/** An address that its account gave up is free for others. */
function claimed(
  ids: UserDirectory['idsByEmailDigest'],
  before: User | null,
  { id, emailDigest }: User,
): UserDirectory['idsByEmailDigest'] {
  if (before?.emailDigest === emailDigest) return ids;
  return (before === null ? ids : ids.delete(before.emailDigest)).set(emailDigest, id);
}

/** Whether the organization would have no owner if this account lost its role or were deactivated. */
export function isLastOwner({ activeOwners }: UserDirectory, user: User): boolean {
  return activeOwners === 1 && isActiveOwner(user);
}

/**
 * The account of a person or of somebody's bot. The server's own bots cannot be changed.
 *
 * @throws ApplicationError `noSuchUser`
 */
export function changeableUser({ users }: UserDirectory, userId: number): User {
  const user = users.get(userId);
  if (user === undefined || user.bot?.isSystem === true) throw failure('noSuchUser');
  return user;
}

/**
 * The active account that acts, from the state that the decision is made on, because the directory may be
 * behind.
 *
 * @throws ApplicationError `accountDeactivated` when it was deactivated after the request was authenticated
 */
export function activeActor({ users }: UserDirectory, userId: number): User {
  const user = users.get(userId);
  if (user?.isActive !== true) throw failure('accountDeactivated');
  return user;
}

/**
 * Refuses one more bot for a person who has the maximum number, deactivated ones included.
 *
 * @throws ApplicationError `tooManyBots`
 */
export function assertMayOwnAnotherBot({ users }: UserDirectory, ownerId: number): void {
  let count = 0;
  for (const { bot } of users.values()) count += Number(bot?.ownerId === ownerId);
  if (count >= budgets.botsOfPerson.max) throw failure('tooManyBots');
}

/** The active bots of a person. */
export function activeBotsOf(state: UserDirectory, ownerId: number): User[] {
  return botsOf(state, ownerId).filter(({ isActive }) => isActive);
}

/** The bots of a person, deactivated ones included, oldest first. */
export function botsOf({ users }: UserDirectory, ownerId: number): User[] {
  const bots = [...users.values()].filter(({ bot }) => bot?.ownerId === ownerId);
  return bots.sort((a, b) => a.id - b.id);
}
