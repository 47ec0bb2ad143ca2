import type { Snapshot } from '../../access/snapshot.js';
import { failure } from '../../kernel/errors.js';
import { decideNewEmail } from '../users/identity.decide.js';
import { isAdministrator } from '../../access/records/roles.js';
import { activeActor, type UserDirectory } from '../users/users.state.js';
import type { AccountLinkEvent } from '../../events/account-links.js';
import { waitForEmail, type RequestedLinks, isOpen } from './requested-links.state.js';
import type { Actor } from '../../access/actor.js';
import type { UserEvent } from '../../events/users.js';
import type { FollowedLink } from './account-links.js';

/** The address that a person wants, as it was sent, with its keyed digest. */
export interface WantedEmail {
  readonly userId: number;
  readonly sent: string;
  readonly emailDigest: string;
}

/** What the decision depends on. */
export interface EmailChangeContext {
  readonly state: UserDirectory;
  readonly snapshot: Snapshot;
}

/**
 * Requests a change of address: it takes effect when the person follows a link that is mailed to the new
 * address.
 *
 * @returns no events when it is the present address already
 * @throws ApplicationError `emailChangesDisabled`, `rateLimitHit`, or those of {@link decideNewEmail}
 */
export function decideRequestEmailChange(
  links: RequestedLinks,
  { userId, sent, emailDigest }: WantedEmail,
  { state, snapshot }: EmailChangeContext,
): readonly AccountLinkEvent[] {
  const user = activeActor(state, userId);
  if (sent.trim() === user.email) return [];
  const isDisabled = snapshot.directory.organization?.settings.email_changes_disabled === true;
  if (isDisabled && !isAdministrator(user)) throw failure('emailChangesDisabled');
  const [change] = decideNewEmail(state, { user, sent, emailDigest, snapshot });
  if (change?.type !== 'UserEmailChanged') return [];
  const wait = waitForEmail(links.changesRequestedAt, snapshot.now);
  if (wait > 0) throw failure('rateLimitHit', { 'retry-after': wait / 1000 });
  const { email } = change.data;
  return [{ type: 'EmailChangeRequested', data: { userId, email, emailDigest } }];
}

/**
 * Following the link is a read request, so the closed organization refuses the change here.
 *
 * @throws ApplicationError `organizationDeactivated`, `linkInvalid`, or those of {@link decideNewEmail}, as
 * another account may have the address by now
 */
export function decideConfirmEmailChange(
  state: UserDirectory,
  { userId, revision, links }: FollowedLink & { readonly links: RequestedLinks },
  { snapshot }: Pick<Actor, 'snapshot'>,
): readonly UserEvent[] {
  if (snapshot.directory.isDeactivated) throw failure('organizationDeactivated');
  const user = state.users.get(userId);
  const { emailChange } = links;
  if (user?.isActive !== true || emailChange === null) throw failure('linkInvalid');
  if (!isOpen(emailChange, { revision, user, now: snapshot.now })) {
    throw failure('linkInvalid');
  }
  const { email: sent, emailDigest } = emailChange;
  return decideNewEmail(state, { user, sent, emailDigest, snapshot });
}

/** No events when the account's e-mails of the day are used up; the caller does not learn it. */
export function decideRequestPasswordReset(
  links: RequestedLinks,
  { userId, now }: { readonly userId: number; readonly now: number },
): readonly AccountLinkEvent[] {
  return waitForEmail(links.resetsRequestedAt, now) > 0
    ? []
    : [{ type: 'PasswordResetRequested', data: { userId } }];
}

/** @throws ApplicationError `linkInvalid` */
export function decideResetPassword(
  state: UserDirectory,
  { userId, revision, links }: FollowedLink & { readonly links: RequestedLinks },
  { snapshot: { now } }: Pick<Actor, 'snapshot'>,
): readonly UserEvent[] {
  const user = state.users.get(userId);
  if (user?.isActive !== true) throw failure('linkInvalid');
  if (!isOpen(links.passwordReset, { revision, user, now })) throw failure('linkInvalid');
  return [{ type: 'UserPasswordChanged', data: { userId } }];
}
