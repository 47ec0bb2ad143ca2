import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import { decideProfileData, type ProfileWish } from '../../profiles/profile-data.js';
import { Accounts } from '../accounts.js';
import type { ActingAt } from '../decisions.js';
import { roleSchema, type Role, type UserEvent } from '../events.js';
import { fullNameOf } from '../full-name.js';
import { isAdministrator, isOwner, roles } from '../roles.js';
import { actingUser, changeableUser, isLastOwner, type UserDirectory } from '../user-directory.js';
import type { User } from '../user.js';

/** Changes a person or a bot (specification, PATCH /users/{user_id}). */
export class UpdateUser extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly changes: UserChanges,
  ) {
    super();
  }
}

/** What is to be changed; null: left as it is. */
export interface UserChanges {
  readonly userId: number;
  readonly fullName: string | null;
  readonly role: number | null;
  /** What their profile is to say; what it does not name stays. */
  readonly profile: readonly ProfileWish[];
}

/**
 * The checks come in the order that clients know (specification, "Update a user"; facts, section 2): the account exists, the
 * caller is an administrator, owners are made and unmade by owners, one of them remains, the role exists, the name will
 * do, and so will what the profile is to say.
 *
 * @throws ApplicationError `noSuchUser`, `insufficientPermission`, `ownerRequired`, `onlyOwnerKeepsRole`, `invalidRole`,
 * or those of {@link fullNameOf} and {@link decideProfileData}
 */
export function decideUpdateUser(
  state: UserDirectory,
  { userId, fullName, role, profile: wishes }: UserChanges,
  { actorId, moment }: ActingAt,
): readonly UserEvent[] {
  const user = changeableUser(state, userId);
  const actor = actingUser(state, actorId);
  if (!isAdministrator(actor)) throw failure('insufficientPermission');
  const events: UserEvent[] = [];
  if (role !== null && role !== user.role) {
    events.push({
      type: 'UserRoleChanged',
      data: { userId, role: allowedRole(state, { actor, user, role }) },
    });
  }
  if (fullName !== null && fullNameOf(fullName) !== user.fullName) {
    events.push({ type: 'UserRenamed', data: { userId, fullName: fullNameOf(fullName) } });
  }
  return [...events, ...decideProfileData(moment, { userId, actor, wishes })];
}

interface RoleChange {
  readonly actor: User;
  readonly user: User;
  readonly role: number;
}

function allowedRole(state: UserDirectory, { actor, user, role }: RoleChange): Role {
  if ((isOwner(user) || role === roles.owner) && !isOwner(actor)) throw failure('ownerRequired');
  if (isLastOwner(state, user)) throw failure('onlyOwnerKeepsRole');
  const known = roleSchema.safeParse(role);
  if (!known.success) throw failure('invalidRole');
  return known.data;
}

@CommandHandler(UpdateUser)
export class UpdateUserHandler implements ICommandHandler<UpdateUser> {
  constructor(private readonly accounts: Accounts) {}

  async execute({ caller, changes }: UpdateUser): Promise<void> {
    await this.accounts.decide(caller, (state, by) => decideUpdateUser(state, changes, by));
  }
}
