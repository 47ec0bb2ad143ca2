import type { Actor } from '../../access/actor.js';
import { mayChangeEmails } from '../../access/people-permissions.js';
import { assertAddressMayJoin } from '../../access/records/allowed-domains.js';
import { isAdministrator, roles } from '../../access/records/roles.js';
import type { UserEvent } from '../../events/users.js';
import { limits } from '../../events/values/organization-defaults.js';
import { failure } from '../../kernel/errors.js';
import { idAtRevision } from '../../kernel/ids.js';
import { decideProfileData, type ProfileEntry } from '../profiles/profile-data.decide.js';
import { manageableBot } from './bots.decide.js';
import { emailAddressOf } from './email-address.js';
import { decideNewEmail, decideNewName, decideNewRole, type NewEmail } from './identity.decide.js';
import { assertNameIsFree, fullNameOf } from './names.js';
import { activeActor, changeableUser, type UserDirectory } from './users.state.js';

/**
 * Refuses passwords that are too short to be secure, or too long: 6 to 100 code points.
 *
 * @throws ApplicationError `passwordTooShort`, `passwordTooLong`
 */
export function assertAcceptablePassword(password: string): void {
  const { length } = [...password];
  if (length < limits.passwordMinimum) throw failure('passwordTooShort');
  if (length > limits.passwordMaximum) throw failure('passwordTooLong');
}

/** The parameters of a new person's account. */
export interface NewPerson {
  readonly email: string;
  readonly emailDigest: string;
  readonly password: string;
  readonly fullName: string;
  /**
   * Id of the account that an interrupted earlier attempt of the same request created: nothing remains to be
   * decided. Null: there is none.
   */
  readonly unfinishedId: number | null;
}

/**
 * Administrators may create accounts for others; an address belongs to one account.
 *
 * @throws ApplicationError `administratorRequired`, `emailTaken`, or those of {@link fullNameOf}, {@link
 * emailAddressOf}, {@link assertAddressMayJoin}, {@link assertAcceptablePassword}, {@link assertNameIsFree}
 */
export function decideCreateUser(
  state: UserDirectory,
  person: NewPerson,
  { user: { id: actorId }, snapshot }: Actor,
): readonly UserEvent[] {
  if (!isAdministrator(activeActor(state, actorId))) throw failure('administratorRequired');
  const fullName = fullNameOf(person.fullName);
  const email = emailAddressOf(person.email);
  const { organization } = snapshot.directory;
  if (organization !== null) assertAddressMayJoin(organization, email);
  assertAcceptablePassword(person.password);
  const { emailDigest, unfinishedId } = person;
  const takenBy = state.idsByEmailDigest.get(emailDigest) ?? null;
  if (takenBy !== unfinishedId) throw failure('emailTaken');
  if (takenBy !== null) return [];
  assertNameIsFree(state, fullName, { userId: null, snapshot });
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

/** The changes; null: no change. */
export interface UserChanges {
  readonly userId: number;
  readonly fullName: string | null;
  readonly role: number | null;
  /** New values of profile fields; other fields do not change. */
  readonly profile: readonly ProfileEntry[];
  readonly newEmail: Pick<NewEmail, 'sent' | 'emailDigest'> | null;
}

/**
 * The order of the checks decides which error clients get: the account exists; the caller is an
 * administrator, and may change addresses; only owners make and remove owners, and one remains; the role
 * exists; then the name, the profile and the address.
 *
 * @throws ApplicationError `noSuchUser`, `insufficientPermission`, or those of {@link manageableBot}, {@link
 * decideNewRole}, {@link decideNewName}, {@link decideProfileData} and {@link decideNewEmail}
 */
export function decideUpdateUser(
  state: UserDirectory,
  { userId, fullName, role, profile: entries, newEmail }: UserChanges,
  { user: { id: actorId }, snapshot }: Actor,
): readonly UserEvent[] {
  const user = changeableUser(state, userId);
  const actor = activeActor(state, actorId);
  if (!isAdministrator(actor)) throw failure('insufficientPermission');
  if (user.bot !== null) manageableBot(state, userId, actorId);
  if (newEmail !== null && !mayChangeEmails(snapshot, actor)) throw failure('insufficientPermission');
  const events: UserEvent[] = [];
  if (role !== null) events.push(...decideNewRole(state, { actor, user, role }));
  // Clients send a blank name for one that does not change.
  if (fullName !== null && fullName.trim() !== '') {
    events.push(...decideNewName(state, { user, sent: fullName, snapshot }));
  }
  events.push(...decideProfileData(snapshot, { userId, actor, entries }));
  if (newEmail !== null) events.push(...decideNewEmail(state, { ...newEmail, user, snapshot }));
  return events;
}

/** @throws ApplicationError `botsNotAllowed` and those of {@link decideProfileData} */
export function decideChangeOwnProfile(
  state: UserDirectory,
  entries: readonly ProfileEntry[],
  { user: { id: actorId }, snapshot }: Actor,
): readonly UserEvent[] {
  const actor = activeActor(state, actorId);
  if (actor.bot !== null) throw failure('botsNotAllowed');
  return decideProfileData(snapshot, { userId: actorId, actor, entries });
}
