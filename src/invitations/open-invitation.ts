import type { Moment } from '../directory/moment.js';
import { failure } from '../kernel/errors.js';
import { isOpen, type Invitation, type Invitations } from './invitations.js';

/**
 * Whether an invitation can be accepted, or a link followed. It ends with its own time, with that of the link that it came of, and
 * with the account of whoever invited.
 */
export function canBeUsed(
  invitation: Invitation,
  { byId }: Invitations,
  { directory, now }: Moment,
): boolean {
  const { inviterId, linkId } = invitation;
  if (!isOpen(invitation, now)) return false;
  if (inviterId !== null && directory.user(inviterId)?.isActive !== true) return false;
  if (linkId === null) return true;
  const link = byId.get(linkId);
  return link !== undefined && link.status === 'open';
}

/** @throws ApplicationError `invitationInvalid`, whatever the reason */
export function assertIsOpen(invitation: Invitation, all: Invitations, moment: Moment): void {
  if (!canBeUsed(invitation, all, moment)) throw failure('invitationInvalid');
}
