import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { idAtRevision } from '../../../kernel/ids.js';
import type { InvitationEvent } from '../../../events/invitations.js';
import { InvitationChanges } from '../invitation-changes.js';
import type { Invitations } from '../invitations.js';
import { assertMayInvite, assertMayInviteAs, assertMayPromise, welcomeTextOf } from '../inviting-decision.js';
import { JoinLinks } from '../join-links.js';
import { expiryOf, InvitationPolicy } from '../validity.js';
import type { InvitationRequest } from './send-invitations.js';

/** Makes a link by which anybody who has it may join (facts, section 5). Answers the link. */
export class CreateInvitationLink extends Command<string> {
  constructor(
    readonly caller: Caller,
    readonly request: InvitationRequest,
  ) {
    super();
  }
}

type LinkData = Extract<InvitationEvent, { type: 'InvitationLinkCreated' }>['data'];

/** Makes a link; who may, and what it promises, is checked before. */
export function decideCreateLink(
  { nextRevision }: Invitations,
  link: Omit<LinkData, 'invitationId'>,
): readonly [Extract<InvitationEvent, { type: 'InvitationLinkCreated' }>] {
  return [{ type: 'InvitationLinkCreated', data: { invitationId: idAtRevision(nextRevision), ...link } }];
}

@CommandHandler(CreateInvitationLink)
export class CreateInvitationLinkHandler implements ICommandHandler<CreateInvitationLink> {
  constructor(
    private readonly invitations: InvitationChanges,
    private readonly links: JoinLinks,
    private readonly policy: InvitationPolicy,
  ) {}

  async execute({
    caller,
    request: { terms, validity, welcomeText },
  }: CreateInvitationLink): Promise<string> {
    const inviting = this.invitations.inviting(caller);
    const { user: inviter, moment } = inviting;
    assertMayInvite(inviting, 'create_multiuse_invite_group');
    assertMayInviteAs(inviter, terms.role);
    assertMayPromise(inviting, terms);
    const link = {
      inviterId: inviter.id,
      terms,
      welcomeText: welcomeTextOf(inviter, welcomeText),
      expiresAt: expiryOf(validity, this.policy, moment.now),
    };
    const [created] = await this.invitations.apply(caller, (state) => decideCreateLink(state, link));
    if (created === undefined) throw failure('internalError');
    return this.links.toLink(created.data.invitationId);
  }
}
