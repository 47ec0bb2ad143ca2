import { Injectable } from '@nestjs/common';
import type { Moment } from '../../access/moment.js';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import { Accounts } from '../users/accounts.js';
import { EmailLookup } from '../users/email-lookup.js';
import { decideNewEmail } from '../users/identity-changes.js';
import { isAdministrator } from '../../access/records/roles.js';
import { actingUser, type UserDirectory } from '../users/user-directory.js';
import { AccountLinks } from './account-links.js';
import type { AccountLinkEvent } from '../../events/account-links.js';
import { waitForLetter, type RequestedLinks } from './requested-links.js';

/** An address that a person wants, as it was sent, with its keyed digest. */
export interface WantedEmail {
  readonly userId: number;
  readonly sent: string;
  readonly emailDigest: string;
}

/** What the decision goes by. */
export interface EmailChangeContext {
  readonly state: UserDirectory;
  readonly moment: Moment;
}

/**
 * Asks for another address: it becomes the account's once the person follows a link that is mailed there.
 *
 * @returns no events when it is the address already
 * @throws ApplicationError `emailChangesDisabled`, `rateLimitHit`, or those of {@link decideNewEmail}
 */
export function decideRequestEmailChange(
  links: RequestedLinks,
  { userId, sent, emailDigest }: WantedEmail,
  { state, moment }: EmailChangeContext,
): readonly AccountLinkEvent[] {
  const user = actingUser(state, userId);
  if (sent.trim() === user.email) return [];
  const isDisabled = moment.directory.organization?.settings.email_changes_disabled === true;
  if (isDisabled && !isAdministrator(user)) throw failure('emailChangesDisabled');
  const [change] = decideNewEmail(state, { user, sent, emailDigest, moment });
  if (change?.type !== 'UserEmailChanged') return [];
  const wait = waitForLetter(links, moment.now);
  if (wait > 0) throw failure('rateLimitHit', { 'retry-after': wait / 1000 });
  const { email } = change.data;
  return [{ type: 'EmailChangeRequested', data: { userId, email, emailDigest } }];
}

/** People asking for another address. */
@Injectable()
export class EmailChanges {
  constructor(
    private readonly links: AccountLinks,
    private readonly accounts: Accounts,
    private readonly emails: EmailLookup,
  ) {}

  /** @throws ApplicationError what {@link request} would refuse the change with */
  async check({ userId }: Pick<Caller, 'userId'>, sent: string): Promise<void> {
    const context = { state: await this.accounts.all(), moment: this.accounts.moment() };
    decideRequestEmailChange(await this.links.of(userId), this.wanted(userId, sent), context);
  }

  /** @throws ApplicationError those of {@link decideRequestEmailChange} */
  async request({ userId, client }: Caller, sent: string): Promise<void> {
    const context = { state: await this.accounts.all(), moment: this.accounts.moment() };
    await this.links.request({ userId, client, actorId: userId }, (links) =>
      decideRequestEmailChange(links, this.wanted(userId, sent), context),
    );
  }

  private wanted(userId: number, sent: string): WantedEmail {
    return { userId, sent, emailDigest: this.emails.digest(sent) };
  }
}
