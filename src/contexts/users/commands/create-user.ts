import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { idAtRevision } from '../../../kernel/ids.js';
import { assertAddressMayJoin } from '../../../access/records/allowed-domains.js';
import { Accounts } from '../accounts.js';
import { Credentials } from '../credentials.js';
import type { ActingAt } from '../decisions.js';
import { emailAddressOf } from '../email-address.js';
import { EmailLookup } from '../email-lookup.js';
import type { UserEvent } from '../../../events/users.js';
import { fullNameOf } from '../full-name.js';
import { assertNameIsFree } from '../unique-names.js';
import { assertAcceptablePassword } from '../password.js';
import { PasswordPolicy } from '../password-policy.js';
import { isAdministrator, roles } from '../../../access/records/roles.js';
import { actingUser, type UserDirectory } from '../user-directory.js';

/** Makes an account for a person (facts, section 5, POST users). Answers its id. */
export class CreateUser extends Command<number> {
  constructor(
    readonly caller: Caller,
    readonly request: { readonly email: string; readonly password: string; readonly fullName: string },
  ) {
    super();
  }
}

/** What a new person's account is made of, as it was sent. */
export interface NewPerson {
  readonly email: string;
  readonly emailDigest: string;
  readonly password: string;
  readonly fullName: string;
  /** An account that this very request made before, and was kept from finishing: nothing remains to be decided. */
  readonly unfinishedId: number | null;
}

/**
 * Administrators make accounts for others; an address belongs to one account.
 *
 * @throws ApplicationError `administratorRequired`, `emailTaken`, or those of {@link fullNameOf}, {@link emailAddressOf},
 * {@link assertAddressMayJoin}, {@link assertAcceptablePassword}, {@link assertNameIsFree}
 */
export function decideCreateUser(
  state: UserDirectory,
  person: NewPerson,
  { actorId, moment }: ActingAt,
): readonly UserEvent[] {
  if (!isAdministrator(actingUser(state, actorId))) throw failure('administratorRequired');
  const fullName = fullNameOf(person.fullName);
  const email = emailAddressOf(person.email);
  const { organization } = moment.directory;
  if (organization !== null) assertAddressMayJoin(organization, email);
  assertAcceptablePassword(person.password);
  const { emailDigest, unfinishedId } = person;
  const takenBy = state.idsByEmailDigest.get(emailDigest) ?? null;
  if (takenBy !== unfinishedId) throw failure('emailTaken');
  if (takenBy !== null) return [];
  assertNameIsFree(state, fullName, { userId: null, moment });
  const userId = idAtRevision(state.nextRevision);
  const data = {
    userId,
    email,
    emailDigest,
    fullName,
    role: roles.member,
    bot: null,
    awaitsFirstLogin: true,
  };
  return [{ type: 'UserRegistered', data }];
}

@CommandHandler(CreateUser)
export class CreateUserHandler implements ICommandHandler<CreateUser> {
  constructor(
    private readonly accounts: Accounts,
    private readonly emails: EmailLookup,
    private readonly credentials: Credentials,
    private readonly policy: PasswordPolicy,
  ) {}

  async execute({ caller, request }: CreateUser): Promise<number> {
    const emailDigest = this.emails.digest(request.email);
    const unfinishedId = await this.unfinished(emailDigest, request.fullName);
    const person = { ...request, emailDigest, unfinishedId };
    const by = { actorId: caller.userId, moment: this.accounts.moment() };
    // Who may not, or whom else it is refused, is not told by how strong the password is.
    decideCreateUser(await this.accounts.all(), person, by);
    await this.policy.assertAcceptable(request.password, request);
    const [registered] = await this.accounts.decide(caller, (state, now) =>
      decideCreateUser(state, person, now),
    );
    const userId = registered?.data.userId ?? unfinishedId;
    if (userId === null) throw new Error('A registration always appends');
    // Of equal requests at once, one makes the account.
    if (!(await this.credentials.setFirstPassword(userId, request.password))) throw failure('emailTaken');
    return userId;
  }

  /**
   * The password is kept apart from the log, so a crash may come between the two. Whoever then sends the same request again
   * finishes it: for an account that nobody could ever log in to.
   */
  private async unfinished(emailDigest: string, fullName: string): Promise<number | null> {
    const state = await this.accounts.all();
    const user = state.users.get(state.idsByEmailDigest.get(emailDigest) ?? 0);
    if (user?.isActive !== true || !user.awaitsFirstLogin || user.fullName !== fullName.trim()) return null;
    return (await this.credentials.hasNone(user.id)) ? user.id : null;
  }
}
