import { failure } from '../../kernel/errors.js';
import { roleSchema, type UserEvent } from '../../events/users.js';
import { botsToRenew, keysRenewed } from './known-keys.js';
import { isAdministrator, isOwner, roles } from '../../access/records/roles.js';
import { isLastOwner, type UserDirectory } from './user-directory.js';
import type { User } from '../../access/records/user.js';

/** Which role an account is to have, and who says so. */
export interface RoleChange {
  readonly actor: User;
  readonly user: User;
  readonly role: number;
}

/**
 * Gives an account another role; no events when it has it already. Bots get new keys whose old ones somebody knows that may
 * not have them any more: see {@link botsToRenew}.
 *
 * @throws ApplicationError `insufficientPermission`, `ownerRequired`, `onlyOwnerKeepsRole`, `invalidRole`
 */
export function decideNewRole(state: UserDirectory, { actor, user, role }: RoleChange): readonly UserEvent[] {
  if (role === user.role) return [];
  if (!isAdministrator(actor)) throw failure('insufficientPermission');
  if ((isOwner(user) || role === roles.owner) && !isOwner(actor)) throw failure('ownerRequired');
  if (isLastOwner(state, user)) throw failure('onlyOwnerKeepsRole');
  const known = roleSchema.safeParse(role);
  if (!known.success) throw failure('invalidRole');
  return [
    { type: 'UserRoleChanged', data: { userId: user.id, role: known.data, previousRole: user.role } },
    ...keysRenewed(botsToRenew(state, user, known.data)),
  ];
}
