import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { isAdministrator } from '../../../access/records/roles.js';
import type { User } from '../../../access/records/user.js';
import type { InvitationEvent } from '../../../events/invitations.js';
import { InvitationChanges } from '../invitation-changes.js';
import { assertMayInviteAs } from '../inviting-decision.js';
import { standingInvitation, type Invitation, type Invitations } from '../invitations.js';

/** Takes an invitation or a reusable link back (facts, section 5). */
export class RevokeInvitation extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly invitationId: number,
    readonly kind: 'invitation' | 'link',
  ) {
    super();
  }
}

/**
 * An invitation is its inviter's and the administrators' to change, unless it makes more than they are themselves.
 *
 * @throws ApplicationError `administratorRequired`, `ownerRequired`
 */
export function assertMayChange(user: User, { inviterId, terms }: Invitation): void {
  if (inviterId !== user.id && !isAdministrator(user)) throw failure('administratorRequired');
  assertMayInviteAs(user, terms.role);
}

/** @throws ApplicationError `noSuchInvitation`, or those of {@link assertMayChange} */
export function decideRevokeInvitation(
  state: Invitations,
  { invitationId, kind }: Pick<RevokeInvitation, 'invitationId' | 'kind'>,
  user: User,
): readonly InvitationEvent[] {
  const invitation = standingInvitation(state, invitationId, kind);
  assertMayChange(user, invitation);
  return [{ type: 'InvitationRevoked', data: { invitationId, inviterId: invitation.inviterId } }];
}

@CommandHandler(RevokeInvitation)
export class RevokeInvitationHandler implements ICommandHandler<RevokeInvitation> {
  constructor(private readonly invitations: InvitationChanges) {}

  async execute(command: RevokeInvitation): Promise<void> {
    const { user: inviter } = this.invitations.inviting(command.caller);
    await this.invitations.apply(command.caller, (state) => decideRevokeInvitation(state, command, inviter));
  }
}
