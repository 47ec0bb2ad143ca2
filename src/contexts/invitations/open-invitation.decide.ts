import type { Snapshot } from '../../access/snapshot.js';
import { failure } from '../../kernel/errors.js';
import { isWithinRole } from '../../access/records/roles.js';
import { isOpen, type Invitation, type Invitations } from './invitations.state.js';

/**
 * Whether an invitation or a link can be used. It ends with its own expiry, with that of the link that it
 * came from, and when the inviter is deactivated or loses a role that its own role needs.
 */
export function canBeUsed(
  invitation: Invitation,
  { byId }: Invitations,
  { directory, now }: Snapshot,
): boolean {
  const { inviterId, linkId, terms } = invitation;
  if (!isOpen(invitation, now)) return false;
  if (inviterId !== null) {
    const inviter = directory.user(inviterId);
    if (inviter?.isActive !== true || !isWithinRole(inviter, terms.role)) return false;
  }
  if (linkId === null) return true;
  const link = byId.get(linkId);
  return link !== undefined && isOpen(link, now);
}

/** @throws ApplicationError `invitationInvalid`, whatever the reason */
export function assertIsOpen(invitation: Invitation, all: Invitations, snapshot: Snapshot): void {
  if (!canBeUsed(invitation, all, snapshot)) throw failure('invitationInvalid');
}
