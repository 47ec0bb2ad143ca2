import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DirectoryFollower } from '../../access/directory-follower.js';
import type { Recorded } from '../../kernel/event.js';
import { on } from '../../kernel/event-handlers.js';
import { EmailTemplates, type Email, type EmailMention } from '../mail/email.js';
import { emailBody, paragraph, type EmailPart } from '../mail/email-body.js';
import { PublicAddress } from '../../http/public-address.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { InvitationRenewed, InvitationSent } from '../../events/invitations.js';
import { InvitationsReader } from './invitations-reader.js';
import type { Invitation } from './invitations.state.js';
import { JoinLinks } from './join-links.js';
import { canBeUsed } from './open-invitation.decide.js';

/** Writes e-mails to people who are invited. */
@Injectable()
export class InvitationEmails implements OnModuleInit {
  constructor(
    private readonly templates: EmailTemplates,
    private readonly invitations: InvitationsReader,
    private readonly links: JoinLinks,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
    private readonly address: PublicAddress,
  ) {}

  onModuleInit(): void {
    this.templates.add(on([InvitationSent, InvitationRenewed], (event) => this.write(event)));
  }

  private async write({
    data: { invitationId },
  }: Recorded<typeof InvitationSent | typeof InvitationRenewed>): Promise<Email | null> {
    const all = await this.invitations.all();
    const invitation = all.byId.get(invitationId);
    const snapshot = { directory: this.follower.current(), now: this.clock.now() };
    if (invitation === undefined || !canBeUsed(invitation, all, snapshot)) return null;
    const making = await this.invitations.making(invitationId);
    if (making.type !== 'InvitationSent' || making.erased) return null;
    const { subject, opening } = this.wording(invitation);
    const parts: EmailPart[] = [
      ...opening.map(paragraph),
      { kind: 'link', label: 'Make your account', url: this.links.toInvitation(invitationId) },
      paragraph(validity(invitation)),
    ];
    const { organizationName: organization } = snapshot.directory;
    const body = emailBody(parts, { organization, site: this.address.url, email: null });
    const about: EmailMention[] = [`invitation:${invitationId}`];
    if (invitation.inviterId !== null) about.push(`user:${invitation.inviterId}`);
    return { to: making.data.email, subject, ...body, about };
  }

  private wording({ inviterId, linkId }: Invitation): { subject: string; opening: readonly string[] } {
    const directory = this.follower.current();
    const { organizationName: organization } = directory;
    const inviter = inviterId === null ? null : directory.user(inviterId);
    if (inviter === null || linkId !== null) {
      return {
        subject: `Join ${organization}`,
        opening: [
          'Hello,',
          `somebody asked to join ${organization} with this address. If it was you, follow this link to make your account; if not, there is nothing to do.`,
        ],
      };
    }
    return {
      subject: `${inviter.fullName} has invited you to join ${organization}`,
      opening: [
        'Hello,',
        `${inviter.fullName} (${inviter.email}) wants you to join ${organization}, where they talk with their team. To make your account, follow this link:`,
      ],
    };
  }
}

function validity({ expiresAt }: Invitation): string {
  if (expiresAt === null) return 'The link is valid until it is used.';
  return `The link is valid until ${new Date(expiresAt * 1000).toUTCString()}.`;
}
