import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DirectoryFollower } from '../directory/directory-follower.js';
import type { EventOf, RecordedEvent } from '../kernel/event.js';
import { Correspondence } from '../mail/correspondence.js';
import type { Letter, LetterSubject } from '../mail/letter.js';
import { SystemClock } from '../system-clock.js';
import type { InvitationRenewed, InvitationSent } from './events.js';
import { InvitationChanges } from './invitation-changes.js';
import type { Invitation } from './invitations.js';
import { JoinLinks } from './join-links.js';
import { canBeUsed } from './open-invitation.js';

/** Writes to whoever is invited. */
@Injectable()
export class InvitationLetters implements OnModuleInit {
  constructor(
    private readonly correspondence: Correspondence,
    private readonly invitations: InvitationChanges,
    private readonly links: JoinLinks,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  onModuleInit(): void {
    const write = (event: RecordedEvent): Promise<Letter | null> =>
      this.write(
        event as unknown as RecordedEvent<EventOf<typeof InvitationSent> | EventOf<typeof InvitationRenewed>>,
      );
    this.correspondence.add({ because: 'InvitationSent', write });
    this.correspondence.add({ because: 'InvitationRenewed', write });
  }

  private async write({
    data: { invitationId },
  }: {
    readonly data: { readonly invitationId: number };
  }): Promise<Letter | null> {
    const all = await this.invitations.all();
    const invitation = all.byId.get(invitationId);
    const moment = { directory: this.follower.current(), now: this.clock.now() };
    if (invitation === undefined || !canBeUsed(invitation, all, moment)) return null;
    const making = await this.invitations.making(invitationId);
    if (making.type !== 'InvitationSent' || making.erased) return null;
    const { subject, opening } = this.wording(invitation);
    const text = `${opening}\n\n${this.links.toInvitation(invitationId)}\n\n${validity(invitation)}\n`;
    const about: LetterSubject[] = [`invitation:${invitationId}`];
    if (invitation.inviterId !== null) about.push(`user:${invitation.inviterId}`);
    return { to: making.data.email, subject, text, about };
  }

  private wording({ inviterId, linkId }: Invitation): { subject: string; opening: string } {
    const directory = this.follower.current();
    const organization = directory.organization?.settings.name ?? '';
    const inviter = inviterId === null ? null : directory.user(inviterId);
    if (inviter === null || linkId !== null) {
      return {
        subject: `Join ${organization}`,
        opening:
          `Hello,\n\nsomebody asked to join ${organization} with this address. ` +
          'If it was you, follow this link to make your account; if not, there is nothing to do.',
      };
    }
    return {
      subject: `${inviter.fullName} has invited you to join ${organization}`,
      opening:
        `Hello,\n\n${inviter.fullName} (${inviter.email}) wants you to join ${organization}, where they talk ` +
        'with their team. To make your account, follow this link:',
    };
  }
}

function validity({ expiresAt }: Invitation): string {
  if (expiresAt === null) return 'The link is valid until it is used.';
  return `The link is valid until ${new Date(expiresAt * 1000).toUTCString()}.`;
}
