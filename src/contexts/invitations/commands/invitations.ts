import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { budgets } from '../../../kernel/budgets.js';
import { failure } from '../../../kernel/errors.js';
import { EmailLookup } from '../../../access/email-lookup.js';
import { addressesIn } from '../address-rules.js';
import type { InvitationTerms } from '../../../events/invitations.js';
import { Decisions } from '../../../http/decisions.js';
import { requestMetadata } from '../../../stores/event-store/command-metadata.js';
import { foldedInvitations } from '../invitations.state.js';
import { assertMayInvite, assertMayInviteAs, assertMayPromise, welcomeTextOf } from '../inviting.decide.js';
import { expiryOf, InvitationPolicy } from '../validity.js';
import {
  planInvitees,
  decideSendInvitations,
  nothingSent,
  decideResendInvitation,
  decideRevokeInvitation,
  decideCreateLink,
} from '../invitations.decide.js';
import { JoinLinks } from '../join-links.js';

/** The terms of an invitation in a request. */
export interface InvitationRequest {
  readonly terms: InvitationTerms;
  /** Minutes; null: no expiry; undefined: the server's default. */
  readonly validity: number | null | undefined;
  readonly welcomeText: string | null;
}

/** Invites people by e-mail (`POST /invites`). */
export class SendInvitations extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly request: InvitationRequest & {
      /** As people typed them. */
      readonly addresses: string;
      readonly notifyInviter: boolean;
    },
  ) {
    super();
  }
}

@CommandHandler(SendInvitations)
export class SendInvitationsHandler implements ICommandHandler<SendInvitations> {
  constructor(
    private readonly decisions: Decisions,
    private readonly emails: EmailLookup,
    private readonly policy: InvitationPolicy,
  ) {}

  /**
   * @throws ApplicationError `invitationFailed` also when some were invited and others have accounts already
   */
  async execute({ caller, request }: SendInvitations): Promise<void> {
    const inviting = this.decisions.actor(caller);
    const { user: inviter, snapshot } = inviting;
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
    const expiresAt = expiryOf(request.validity, this.policy, snapshot.now);
    const candidates = addresses.map((email) => ({ email, emailDigest: this.emails.digest(email) }));
    const { invitees, refused } = planInvitees(inviting, candidates);
    const common = { inviterId: inviter.id, linkId: null, terms, welcomeText, expiresAt, notifyInviter };
    await this.decisions.decideAs(requestMetadata(caller, snapshot.now), foldedInvitations, (state) =>
      decideSendInvitations(
        state,
        invitees.map((invitee) => ({ ...invitee, ...common })),
        { now: snapshot.now, perDay: this.policy.perDay },
      ),
    );
    if (refused.length === 0) return;
    const reason = 'Some of those addresses have accounts already. Invitations were sent to all others.';
    throw failure('invitationFailed', { ...nothingSent, reason, errors: refused, sent_invitations: true });
  }
}

/** Sends an invitation again, with its original validity from now on. */
export class ResendInvitation extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly invitationId: number,
  ) {
    super();
  }
}

@CommandHandler(ResendInvitation)
export class ResendInvitationHandler implements ICommandHandler<ResendInvitation> {
  constructor(
    private readonly decisions: Decisions,
    private readonly policy: InvitationPolicy,
  ) {}

  async execute({ caller, invitationId }: ResendInvitation): Promise<void> {
    const { perDay } = this.policy;
    await this.decisions.decide(caller, foldedInvitations, (state, actor) =>
      decideResendInvitation(state, { invitationId, perDay }, actor),
    );
  }
}

/** Revokes an invitation or a reusable link. */
export class RevokeInvitation extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly invitationId: number,
    readonly kind: 'invitation' | 'link',
  ) {
    super();
  }
}

@CommandHandler(RevokeInvitation)
export class RevokeInvitationHandler implements ICommandHandler<RevokeInvitation> {
  constructor(private readonly decisions: Decisions) {}

  async execute(command: RevokeInvitation): Promise<void> {
    await this.decisions.decide(command.caller, foldedInvitations, (state, { user }) =>
      decideRevokeInvitation(state, command, user),
    );
  }
}

/** Creates a link by which anybody who has it may join (`POST /invites/multiuse`). Returns the link. */
export class CreateInvitationLink extends Command<string> {
  constructor(
    readonly caller: Caller,
    readonly request: InvitationRequest,
  ) {
    super();
  }
}

@CommandHandler(CreateInvitationLink)
export class CreateInvitationLinkHandler implements ICommandHandler<CreateInvitationLink> {
  constructor(
    private readonly decisions: Decisions,
    private readonly links: JoinLinks,
    private readonly policy: InvitationPolicy,
  ) {}

  async execute({
    caller,
    request: { terms, validity, welcomeText },
  }: CreateInvitationLink): Promise<string> {
    const inviting = this.decisions.actor(caller);
    const { user: inviter, snapshot } = inviting;
    assertMayInvite(inviting, 'create_multiuse_invite_group');
    assertMayInviteAs(inviter, terms.role);
    assertMayPromise(inviting, terms);
    const link = {
      inviterId: inviter.id,
      terms,
      welcomeText: welcomeTextOf(inviter, welcomeText),
      expiresAt: expiryOf(validity, this.policy, snapshot.now),
    };
    const {
      events: [created],
    } = await this.decisions.decideAs(requestMetadata(caller, snapshot.now), foldedInvitations, (state) =>
      decideCreateLink(state, link, snapshot.now),
    );
    if (created === undefined) throw failure('internalError');
    return this.links.toLink(created.data.invitationId);
  }
}
