import type { DirectoryFollower } from './directory-follower.js';

/** Returns the id of the person who answers for an account: the owner of a bot, else the account itself. */
export type OwnerOf = (userId: number) => number;

/** The owners of accounts, as of now. */
export function ownersIn(follower: Pick<DirectoryFollower, 'current'>): OwnerOf {
  return (userId) => follower.current().user(userId)?.bot?.ownerId ?? userId;
}
