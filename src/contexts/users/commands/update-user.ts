import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { mayChangeEmails } from '../../../access/people-permissions.js';
import { failure } from '../../../kernel/errors.js';
import { decideProfileData, type ProfileEntry } from '../../profiles/profile-data.js';
import { Accounts } from '../accounts.js';
import type { ActingAt } from '../decisions.js';
import { EmailLookup } from '../email-lookup.js';
import { KeyRenewals } from '../key-renewals.js';
import { manageableBot } from '../manageable-bot.js';
import type { UserEvent } from '../../../events/users.js';
import { decideNewEmail, decideNewName, type NewEmail } from '../identity-changes.js';
import { decideNewRole } from '../role-change.js';
import { isAdministrator } from '../../../access/records/roles.js';
import { actingUser, changeableUser, type UserDirectory } from '../user-directory.js';

/** Changes a person or a bot (specification, PATCH /users/{user_id}). */
export class UpdateUser extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly request: Pick<UserChanges, 'fullName' | 'role' | 'profile'> & {
      /** An id or an e-mail address. */
      readonly whom: number | string;
      readonly newEmail: string | null;
    },
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
  readonly profile: readonly ProfileEntry[];
  readonly newEmail: Pick<NewEmail, 'sent' | 'emailDigest'> | null;
}

/**
 * The checks come in the order that clients know (specification, "Update a user"; facts, section 2): the account exists, the
 * caller is an administrator, and may change addresses; owners are made and unmade by owners, one of them remains, the role
 * exists; the name will do, so will what the profile is to say, and the address.
 *
 * @throws ApplicationError `noSuchUser`, `insufficientPermission`, or those of {@link manageableBot}, {@link decideNewRole}, {@link decideNewName}, {@link decideProfileData} and {@link decideNewEmail}
 */
export function decideUpdateUser(
  state: UserDirectory,
  { userId, fullName, role, profile: entries, newEmail }: UserChanges,
  { actorId, moment }: ActingAt,
): readonly UserEvent[] {
  const user = changeableUser(state, userId);
  const actor = actingUser(state, actorId);
  if (!isAdministrator(actor)) throw failure('insufficientPermission');
  if (user.bot !== null) manageableBot(state, userId, { actorId });
  if (newEmail !== null && !mayChangeEmails(moment, actor)) throw failure('insufficientPermission');
  const events: UserEvent[] = [];
  if (role !== null) events.push(...decideNewRole(state, { actor, user, role }));
  if (fullName !== null) events.push(...decideNewName(state, { user, sent: fullName, moment }));
  events.push(...decideProfileData(moment, { userId, actor, entries }));
  if (newEmail !== null) events.push(...decideNewEmail(state, { ...newEmail, user, moment }));
  return events;
}

@CommandHandler(UpdateUser)
export class UpdateUserHandler implements ICommandHandler<UpdateUser> {
  constructor(
    private readonly accounts: Accounts,
    private readonly emails: EmailLookup,
    private readonly renewals: KeyRenewals,
  ) {}

  /** @throws ApplicationError those of {@link decideUpdateUser} */
  async execute({ caller, request: { whom, newEmail: email, ...request } }: UpdateUser): Promise<void> {
    const userId = typeof whom === 'number' ? whom : this.idByEmail(caller, whom);
    const newEmail = email === null ? null : { sent: email, emailDigest: this.emails.digest(email) };
    const changes = { ...request, userId, newEmail };
    await this.renewals.decide(caller, (state, by) => decideUpdateUser(state, changes, by));
  }

  private idByEmail(caller: Caller, email: string): number {
    const { directory } = this.accounts.moment();
    const user = this.emails.findFor(this.accounts.actor(caller), directory, email);
    if (user === null) throw failure('noSuchUser');
    return user.id;
  }
}
