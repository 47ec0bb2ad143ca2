import type { Moment } from '../../access/moment.js';
import { assertAddressMayJoin } from '../../access/records/allowed-domains.js';
import { failure } from '../../kernel/errors.js';
import { emailAddressOf } from './email-address.js';
import type { UserEvent } from '../../events/users.js';
import { fullNameOf } from './full-name.js';
import { assertBotNameIsFree, assertNameIsFree } from './unique-names.js';
import type { UserDirectory } from './user-directory.js';
import type { User } from '../../access/records/user.js';

/** A name as it was sent, and whose it is to be. */
export interface NewName {
  readonly user: User;
  readonly sent: string;
  readonly moment: Moment;
}

/**
 * Gives an account another name; no events when it is its name already.
 *
 * @throws ApplicationError `nameTaken`, `botNameTaken`, or those of {@link fullNameOf}
 */
export function decideNewName(state: UserDirectory, { user, sent, moment }: NewName): readonly UserEvent[] {
  const { id: userId } = user;
  const fullName = fullNameOf(sent);
  if (fullName === user.fullName) return [];
  if (user.bot === null) assertNameIsFree(state, fullName, { userId, moment });
  else assertBotNameIsFree(state, fullName, userId);
  return [{ type: 'UserRenamed', data: { userId, fullName } }];
}

/** An address as it was sent, with its keyed digest, and whose it is to be. */
export interface NewEmail extends NewName {
  readonly emailDigest: string;
}

/**
 * Gives an account another address; no events when it is its address already.
 *
 * @throws ApplicationError `emailTaken`, or those of {@link emailAddressOf} and {@link assertAddressMayJoin}
 */
export function decideNewEmail(
  state: UserDirectory,
  { user: { id: userId, email: previousEmail }, sent, emailDigest, moment }: NewEmail,
): readonly UserEvent[] {
  const email = emailAddressOf(sent);
  if (email === previousEmail) return [];
  const { organization } = moment.directory;
  if (organization !== null) assertAddressMayJoin(organization, email);
  if ((state.idsByEmailDigest.get(emailDigest) ?? userId) !== userId) throw failure('emailTaken');
  return [{ type: 'UserEmailChanged', data: { userId, email, emailDigest, previousEmail } }];
}
