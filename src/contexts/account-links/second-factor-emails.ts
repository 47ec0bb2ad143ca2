import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Recorded } from '../../kernel/event.js';
import { on } from '../../kernel/event-handlers.js';
import {
  RecoveryCodeUsed,
  SecondFactorDisabled,
  SecondFactorEnabled,
  SecondFactorRevoked,
  type SecondFactorEvent,
} from '../../events/second-factor.js';
import { EmailTemplates, type Email } from '../mail/email.js';
import { MAX_NEWS_AGE } from './account-emails.js';
import { emailBody, paragraph } from '../mail/email-body.js';
import { PublicAddress } from '../../http/public-address.js';
import { Decisions } from '../../http/decisions.js';

type SecondFactorRecord = Recorded<
  | typeof SecondFactorEnabled
  | typeof SecondFactorDisabled
  | typeof SecondFactorRevoked
  | typeof RecoveryCodeUsed
>;

/** Notifies people about changes of their second factor, in case somebody else made them. */
@Injectable()
export class SecondFactorEmails implements OnModuleInit {
  constructor(
    private readonly templates: EmailTemplates,
    private readonly decisions: Decisions,
    private readonly address: PublicAddress,
  ) {}

  onModuleInit(): void {
    const events = [
      SecondFactorEnabled,
      SecondFactorDisabled,
      SecondFactorRevoked,
      RecoveryCodeUsed,
    ] as const;
    this.templates.add(on(events, (event) => Promise.resolve(this.write(event))));
  }

  private write({ type, data, metadata: { at } }: SecondFactorRecord): Email | null {
    const { directory, now } = this.decisions.snapshot();
    const user = directory.user(data.userId);
    if (user?.isActive !== true || now - at > MAX_NEWS_AGE) return null;
    const { organizationName: organization } = directory;
    const { url: site } = this.address;
    const { subject, text } = wordingOf({ type, data } as SecondFactorEvent);
    return {
      to: user.email,
      about: [`user:${user.id}`],
      subject: `${subject} (${organization})`,
      ...emailBody(
        [
          paragraph(`Hello ${user.fullName},`),
          paragraph(`${text} This is about your account in ${organization} (${site}).`),
          paragraph('If you know nothing of it, this page says what to do:'),
          { kind: 'link', label: 'What to do', url: `${site}/accounts/not_me` },
        ],
        { organization, site, email: user.email },
      ),
    };
  }
}

function wordingOf(event: SecondFactorEvent): { readonly subject: string; readonly text: string } {
  switch (event.type) {
    case 'SecondFactorEnabled':
      return {
        subject: 'You have a second factor',
        text: 'from now on, logging in by your password asks for a code of your authenticator app as well.',
      };
    case 'SecondFactorDisabled':
      return {
        subject: 'Your second factor was taken away',
        text: 'your second factor was taken away by a code of it: from now on, your password alone lets you in.',
      };
    case 'SecondFactorRevoked':
      return {
        subject: 'Your second factor was taken away',
        text: 'an owner of the organization has taken your second factor away: from now on, your password alone lets you in. You can set up another.',
      };
    case 'RecoveryCodeUsed':
      return {
        subject: 'A recovery code was used',
        text: `one of your recovery codes was used in place of a code of your authenticator app. ${event.data.left} are left.`,
      };
  }
}
