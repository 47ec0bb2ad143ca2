import type { Actor } from '../../../access/actor.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { budgets } from '../../../kernel/budgets.js';
import { failure } from '../../../kernel/errors.js';
import { idAtRevision } from '../../../kernel/ids.js';
import { EmailLookup } from '../../users/email-lookup.js';
import { addressRefusal } from '../address-rules.js';
import { addressesIn } from '../addresses.js';
import type { InvitationEvent, InvitationTerms } from '../../../events/invitations.js';
import { InvitationChanges } from '../invitation-changes.js';
import { lettersOn, type Invitations } from '../invitations.js';
import { assertMayInvite, assertMayInviteAs, assertMayPromise, welcomeTextOf } from '../inviting-decision.js';
import { expiryOf, InvitationPolicy } from '../validity.js';

/** What an invitation promises, as it was asked for. */
export interface InvitationRequest {
  readonly terms: InvitationTerms;
  /** Minutes; null: for ever; undefined: as the server has it. */
  readonly validity: number | null | undefined;
  readonly welcomeText: string | null;
}

/** Invites people by e-mail (specification, POST /invites). */
export class SendInvitations extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly request: InvitationRequest & {
      /** As people typed it. */
      readonly addresses: string;
      readonly notifyInviter: boolean;
    },
  ) {
    super();
  }
}

/** Somebody to be invited. */
export interface Invitee {
  readonly email: string;
  readonly emailDigest: string;
}

/** An address that nobody was invited at: the address, why, and whether it belongs to a deactivated account. */
export type RefusedAddress = readonly [email: string, reason: string, isDeactivated: boolean];

/** Who is invited and who is not. */
export interface InviteePlan {
  readonly invitees: readonly Invitee[];
  readonly refused: readonly RefusedAddress[];
}

/**
 * One address that will not do keeps all from being invited; one that has an account only itself (facts, "POST /invites").
 *
 * @throws ApplicationError `noAddresses`, `invitationFailed`
 */
export function planInvitees({ moment }: Actor, candidates: readonly Invitee[]): InviteePlan {
  if (candidates.length === 0) throw failure('noAddresses');
  const unfit = candidates.flatMap(({ email }): RefusedAddress[] => {
    const reason = addressRefusal(moment, email);
    return reason === null ? [] : [[email, reason, false]];
  });
  if (unfit.length > 0)
    throw invitationFailed('Some emails did not validate, so no invitations were sent.', unfit);
  const refused = candidates.flatMap(({ email, emailDigest }): RefusedAddress[] => {
    const user = moment.directory.userByEmailDigest(emailDigest);
    if (user === null) return [];
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

/** @throws ApplicationError `invitationFailed` when the day's letters are used up */
export function decideSendInvitations(
  state: Invitations,
  invitations: readonly Omit<Extract<InvitationEvent, { type: 'InvitationSent' }>['data'], 'invitationId'>[],
  { now, perDay }: { readonly now: number; readonly perDay: number },
): readonly InvitationEvent[] {
  if (perDay > 0 && lettersOn(state, now).all + invitations.length > perDay) {
    const reason = 'To protect users, this server limits how many invitations are sent in a day.';
    throw failure('invitationFailed', { ...nothingSent, reason, daily_limit_reached: true });
  }
  return invitations.map((invitation, index) => ({
    type: 'InvitationSent',
    data: { invitationId: idAtRevision(state.nextRevision + index), ...invitation },
  }));
}

const nothingSent = {
  errors: [],
  sent_invitations: false,
  daily_limit_reached: false,
  license_limit_reached: false,
} as const;

function invitationFailed(reason: string, errors: readonly RefusedAddress[]): Error {
  return failure('invitationFailed', { ...nothingSent, reason, errors });
}

@CommandHandler(SendInvitations)
export class SendInvitationsHandler implements ICommandHandler<SendInvitations> {
  constructor(
    private readonly invitations: InvitationChanges,
    private readonly emails: EmailLookup,
    private readonly policy: InvitationPolicy,
  ) {}

  /** @throws ApplicationError `invitationFailed` also when some were invited and others have accounts */
  async execute({ caller, request }: SendInvitations): Promise<void> {
    const inviting = this.invitations.inviting(caller);
    const { user: inviter, moment } = inviting;
    const { terms, notifyInviter } = request;
    assertMayInvite(inviting, 'can_invite_users_group');
    assertMayInviteAs(inviter, terms.role);
    const addresses = addressesIn(request.addresses);
    if (addresses.length === 0) throw failure('noAddresses');
    const { max } = budgets.addressesOfRequest;
    if (addresses.length > max) {
      throw failure('tooManyAddressesAtOnce', { reason: max });
    }
    assertMayPromise(inviting, terms);
    const welcomeText = welcomeTextOf(inviter, request.welcomeText);
    const expiresAt = expiryOf(request.validity, this.policy, moment.now);
    const candidates = addresses.map((email) => ({ email, emailDigest: this.emails.digest(email) }));
    const { invitees, refused } = planInvitees(inviting, candidates);
    const common = { inviterId: inviter.id, linkId: null, terms, welcomeText, expiresAt, notifyInviter };
    await this.invitations.apply(caller, (state) =>
      decideSendInvitations(
        state,
        invitees.map((invitee) => ({ ...invitee, ...common })),
        { now: moment.now, perDay: this.policy.perDay },
      ),
    );
    if (refused.length === 0) return;
    const reason = 'Some of those addresses have accounts already. Invitations were sent to all others.';
    throw failure('invitationFailed', { ...nothingSent, reason, errors: refused, sent_invitations: true });
  }
}
