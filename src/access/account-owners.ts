import type { Directory } from './directory.js';
import type { DirectoryFollower } from './directory-follower.js';
import type { User } from './records/user.js';

/** The account that answers for an account: the owner of a bot, or the account itself. Whoever shares a bound, or takes turns with others. */
export type OwnerOf = (userId: number) => number;

/** Who answers for which account, in a directory. */
export function ownersIn(directory: Pick<Directory, 'user'>): OwnerOf {
  return (userId) => directory.user(userId)?.bot?.ownerId ?? userId;
}

/** The person who owns a bot; null: it is no bot, nobody owns it, or the owner's account does not exist. */
export function ownerOfBot(directory: Pick<Directory, 'user'>, { bot }: Pick<User, 'bot'>): User | null {
  const ownerId = bot?.ownerId ?? null;
  return ownerId === null ? null : directory.user(ownerId);
}

/** Who answers for which account, as of each question. */
export function presentOwners(follower: Pick<DirectoryFollower, 'current'>): OwnerOf {
  return (userId) => ownersIn(follower.current())(userId);
}
