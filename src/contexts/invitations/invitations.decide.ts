import { idAtRevision } from '../../kernel/ids.js';
import type { InvitationEvent } from '../../events/invitations.js';
import { type Invitations, emailsOn, isOpen, openInvitation, type Invitation } from './invitations.state.js';
import type { Actor } from '../../access/actor.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { addressRefusal } from './address-rules.js';
import { toSeconds } from '../../kernel/clock.js';
import type { User } from '../../access/records/user.js';
import { isAdministrator } from '../../access/records/roles.js';
import { assertMayInvite, assertMayInviteAs } from './inviting.decide.js';

type LinkData = Extract<InvitationEvent, { type: 'InvitationLinkCreated' }>['data'];

/**
 * Creates a link; permissions and terms were checked before.
 *
 * @throws ApplicationError `tooManyInvitationLinks`
 */
export function decideCreateLink(
  { nextRevision, byId }: Invitations,
  link: Omit<LinkData, 'invitationId'>,
  now: number,
): readonly [Extract<InvitationEvent, { type: 'InvitationLinkCreated' }>] {
  let open = 0;
  for (const invitation of byId.values()) {
    const isLink = invitation.emailDigest === null && invitation.inviterId === link.inviterId;
    if (isLink && isOpen(invitation, now)) open += 1;
  }
  if (open >= budgets.invitationLinks.max) throw failure('tooManyInvitationLinks');
  return [{ type: 'InvitationLinkCreated', data: { invitationId: idAtRevision(nextRevision), ...link } }];
}

/** A person to invite. */
interface Invitee {
  readonly email: string;
  readonly emailDigest: string;
}

/**
 * An address that is not invited: the address, the reason, and whether it belongs to a deactivated account.
 */
type RefusedAddress = readonly [email: string, reason: string, isDeactivated: boolean];

/** Who is invited and who is not. */
interface InviteePlan {
  readonly invitees: readonly Invitee[];
  readonly refused: readonly RefusedAddress[];
}

/**
 * One invalid address prevents all invitations; one that has an account only its own.
 *
 * @throws ApplicationError `noAddresses`, `invitationFailed`
 */
export function planInvitees({ snapshot }: Actor, candidates: readonly Invitee[]): InviteePlan {
  if (candidates.length === 0) throw failure('noAddresses');
  const unfit = candidates.flatMap(({ email }): RefusedAddress[] => {
    const reason = addressRefusal(snapshot, email);
    return reason === null ? [] : [[email, reason, false]];
  });
  if (unfit.length > 0)
    throw invitationFailed('Some emails did not validate, so no invitations were sent.', unfit);
  const refused = candidates.flatMap(({ email, emailDigest }): RefusedAddress[] => {
    const user = snapshot.directory.userByEmailDigest(emailDigest);
    if (user === null) return [];
    // Whose address it was is not told of somebody who was erased.
    if (user.isErased === true) return [[email, 'This address cannot be invited.', false]];
    return user.isActive
      ? [[email, 'Already has an account.', false]]
      : [[email, 'Account has been deactivated.', true]];
  });
  const taken = new Set(refused.map(([email]) => email));
  const invitees = candidates.filter(({ email }) => !taken.has(email));
  if (invitees.length === 0)
    throw invitationFailed('No invitations were sent: everyone has an account.', refused);
  return { invitees, refused };
}

/** @throws ApplicationError `invitationFailed` when the e-mails of the day are used up */
export function decideSendInvitations(
  state: Invitations,
  invitations: readonly Omit<Extract<InvitationEvent, { type: 'InvitationSent' }>['data'], 'invitationId'>[],
  { now, perDay }: { readonly now: number; readonly perDay: number },
): readonly InvitationEvent[] {
  if (perDay > 0 && emailsOn(state, now).invited + invitations.length > perDay) {
    const reason = 'To protect users, this server limits how many invitations are sent in a day.';
    throw failure('invitationFailed', { ...nothingSent, reason, daily_limit_reached: true });
  }
  return invitations.map((invitation, index) => ({
    type: 'InvitationSent',
    data: { invitationId: idAtRevision(state.nextRevision + index), ...invitation },
  }));
}

/** Members of an error that say that nobody was invited. */
export const nothingSent = {
  errors: [],
  sent_invitations: false,
  daily_limit_reached: false,
  license_limit_reached: false,
} as const;

function invitationFailed(reason: string, errors: readonly RefusedAddress[]): Error {
  return failure('invitationFailed', { ...nothingSent, reason, errors });
}

/**
 * Whoever may no longer invite cannot prolong invitations either. An invitation that expired can be sent again.
 *
 * @throws ApplicationError `noSuchInvitation`, `tooManyInvitations`, or those of {@link assertMayChange} and {@link assertMayInvite}
 */
export function decideResendInvitation(
  state: Invitations,
  { invitationId, perDay }: { readonly invitationId: number; readonly perDay: number },
  actor: Actor,
): readonly InvitationEvent[] {
  const { now } = actor.snapshot;
  const invitation = openInvitation(state, invitationId, 'invitation');
  assertMayChange(actor.user, invitation);
  assertMayInvite(actor, 'can_invite_users_group');
  if (perDay > 0 && emailsOn(state, now).invited >= perDay) throw failure('tooManyInvitations');
  const { inviterId, validFor } = invitation;
  const expiresAt = validFor === null ? null : toSeconds(now) + validFor;
  return [{ type: 'InvitationRenewed', data: { invitationId, inviterId, expiresAt } }];
}

/**
 * The inviter and administrators may change an invitation, unless its role is above their own.
 *
 * @throws ApplicationError `administratorRequired`, `ownerRequired`
 */
function assertMayChange(user: User, { inviterId, terms }: Invitation): void {
  if (inviterId !== user.id && !isAdministrator(user)) throw failure('administratorRequired');
  assertMayInviteAs(user, terms.role);
}

/** @throws ApplicationError `noSuchInvitation`, or those of {@link assertMayChange} */
export function decideRevokeInvitation(
  state: Invitations,
  { invitationId, kind }: { readonly invitationId: number; readonly kind: 'invitation' | 'link' },
  user: User,
): readonly InvitationEvent[] {
  const invitation = openInvitation(state, invitationId, kind);
  assertMayChange(user, invitation);
  return [{ type: 'InvitationRevoked', data: { invitationId, inviterId: invitation.inviterId } }];
}
