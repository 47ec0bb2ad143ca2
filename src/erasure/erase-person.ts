import type { DirectoryFollower } from '../directory/directory-follower.js';
import type { Vault } from '../key-store/vault.js';
import { OperationRefusedError } from '../operations/projection-operations.js';
import type { Erasing } from './erasing.js';

/** What the running server knows the command by. */
export const erasePersonCommand = 'owner erase-person';

/** Where people are looked up. */
export interface PeopleHere {
  readonly follower: DirectoryFollower;
  readonly stores: { readonly vault: Pick<Vault, 'emailDigest'> };
}

/**
 * Erases a person whom an operator names.
 *
 * @param named an id or an e-mail address
 * @returns what the operator is told
 * @throws OperationRefusedError for nobody, and for an account that is active
 */
export async function erasePerson(
  erasing: Erasing,
  { follower, stores }: PeopleHere,
  named: string,
): Promise<string> {
  const directory = follower.current();
  const user = /^\d+$/.test(named)
    ? directory.user(Number(named))
    : directory.userByEmailDigest(stores.vault.emailDigest(named));
  if (user === null) throw new OperationRefusedError(`Nobody has the id or the e-mail address "${named}".`);
  if (user.isActive) throw new OperationRefusedError('The account is active: deactivate it first.');
  await erasing.person(user.id);
  return `User ${user.id} is erased: who it was and what it wrote can never be read again, but for backups and exports.`;
}
