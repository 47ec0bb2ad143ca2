import { idAtRevision } from '../../kernel/ids.js';
import type { InvitationEvent } from '../../events/invitations.js';
import { emailsOn, type Invitations, type Invitation } from './invitations.state.js';
import { failure } from '../../kernel/errors.js';
import type { UserEvent } from '../../events/users.js';
import { assertNameIsFree } from '../users/names.js';
import type { UserDirectory } from '../users/users.state.js';
import type { Snapshot } from '../../access/snapshot.js';
import type { User } from '../../access/records/user.js';
import type { UserGroupEvent } from '../../events/user-groups.js';
import type { GroupDirectory } from '../users/user-groups.state.js';

/** Maximum number of e-mails that requests of anybody may cause to one address in a day. */
const MAX_EMAILS_TO_ONE = 3;

/** The data of an invitation when it is created. */
export type Sent = Extract<InvitationEvent, { type: 'InvitationSent' }>['data'];

/** No events when the e-mails of the day, for this address or for all who asked to join, are used up. */
export function decideRequestSignUp(
  state: Invitations,
  invitation: Omit<Sent, 'invitationId'>,
  { now, perDay }: { readonly now: number; readonly perDay: number },
): readonly InvitationEvent[] {
  const { requested, byDigest } = emailsOn(state, now);
  if (perDay > 0 && requested >= perDay) return [];
  if ((byDigest.get(invitation.emailDigest) ?? 0) >= MAX_EMAILS_TO_ONE) return [];
  return [
    { type: 'InvitationSent', data: { invitationId: idAtRevision(state.nextRevision), ...invitation } },
  ];
}

/** The parameters of a new account. */
interface Newcomer {
  readonly email: string;
  readonly emailDigest: string;
  readonly fullName: string;
  readonly role: User['role'];
}

/** @throws ApplicationError `emailTaken`, and those of {@link assertNameIsFree} */
export function decideJoin(
  state: UserDirectory,
  newcomer: Newcomer,
  snapshot: Snapshot,
): readonly UserEvent[] {
  if (state.idsByEmailDigest.has(newcomer.emailDigest)) throw failure('emailTaken');
  assertNameIsFree(state, newcomer.fullName, { userId: null, snapshot });
  const userId = idAtRevision(state.nextRevision);
  const data = { userId, ...newcomer, bot: null, awaitsFirstLogin: false };
  return [{ type: 'UserRegistered', data }];
}

/** Revokes every open invitation to an address. */
export function decideRevokeAll(
  state: Pick<Invitations, 'byId'>,
  emailDigest: string,
): readonly InvitationEvent[] {
  return openTo(state, emailDigest).map(({ id: invitationId, inviterId }) => ({
    type: 'InvitationRevoked',
    data: { invitationId, inviterId },
  }));
}

function openTo({ byId }: Pick<Invitations, 'byId'>, emailDigest: string | null): Invitation[] {
  return [...byId.values()].filter(
    (invitation) => invitation.status === 'open' && invitation.emailDigest === emailDigest,
  );
}

/** Marks an invitation as accepted and revokes others to the same address; reusable links stay. */
export function decideAccepted(
  { byId }: Invitations,
  { invitationId, userId }: { readonly invitationId: number; readonly userId: number },
): readonly InvitationEvent[] {
  const invitation = byId.get(invitationId);
  if (invitation === undefined || invitation.status === 'accepted') return [];
  const voidedIds = openTo({ byId }, invitation.emailDigest)
    .map(({ id }) => id)
    .filter((id) => id !== invitationId)
    .sort((a, b) => a - b);
  const { inviterId } = invitation;
  return [{ type: 'InvitationAccepted', data: { invitationId, inviterId, userId, voidedIds } }];
}

/** Groups that were deactivated since, or have the person as a member already, are skipped. */
export function decidePromisedGroups(
  { groups }: GroupDirectory,
  { groupIds, userId }: { readonly groupIds: readonly number[]; readonly userId: number },
): readonly UserGroupEvent[] {
  return groupIds.flatMap((groupId): UserGroupEvent[] => {
    const group = groups.get(groupId);
    if (group === undefined || group.isDeactivated || group.memberIds.includes(userId)) return [];
    return [{ type: 'UserGroupMembersChanged', data: { groupId, added: [userId], removed: [] } }];
  });
}
