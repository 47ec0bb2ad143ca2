import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { toSeconds } from '../../../kernel/clock.js';
import { failure } from '../../../kernel/errors.js';
import type { User } from '../../../access/records/user.js';
import type { InvitationEvent } from '../../../events/invitations.js';
import { InvitationChanges } from '../invitation-changes.js';
import { lettersOn, standingInvitation, type Invitations } from '../invitations.js';
import { InvitationPolicy } from '../validity.js';
import { assertMayChange } from './revoke-invitation.js';

/** Sends an invitation again, valid as long as it was at first (facts, section 5). */
export class ResendInvitation extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly invitationId: number,
  ) {
    super();
  }
}

/** @throws ApplicationError `noSuchInvitation`, `tooManyInvitations`, or those of {@link assertMayChange} */
export function decideResendInvitation(
  state: Invitations,
  { invitationId, user }: { readonly invitationId: number; readonly user: User },
  { now, perDay }: { readonly now: number; readonly perDay: number },
): readonly InvitationEvent[] {
  const invitation = standingInvitation(state, invitationId, 'invitation');
  assertMayChange(user, invitation);
  if (perDay > 0 && lettersOn(state, now).all >= perDay) throw failure('tooManyInvitations');
  const { inviterId, validFor } = invitation;
  const expiresAt = validFor === null ? null : toSeconds(now) + validFor;
  return [{ type: 'InvitationRenewed', data: { invitationId, inviterId, expiresAt } }];
}

@CommandHandler(ResendInvitation)
export class ResendInvitationHandler implements ICommandHandler<ResendInvitation> {
  constructor(
    private readonly invitations: InvitationChanges,
    private readonly policy: InvitationPolicy,
  ) {}

  async execute({ caller, invitationId }: ResendInvitation): Promise<void> {
    const { user, moment } = this.invitations.inviting(caller);
    await this.invitations.apply(caller, (state) =>
      decideResendInvitation(state, { invitationId, user }, { now: moment.now, perDay: this.policy.perDay }),
    );
  }
}
