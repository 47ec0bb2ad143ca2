import { Injectable } from '@nestjs/common';
import type { Caller } from '../../http/caller.js';
import { Decisions } from '../../http/decisions.js';
import { EmailLookup } from '../../access/email-lookup.js';
import { foldedUsers } from '../users/users.state.js';
import {
  decideRequestEmailChange,
  type EmailChangeContext,
  type WantedEmail,
} from './account-links.decide.js';
import { requestedLinksOf } from './requested-links.state.js';

/** Requests changes of people's addresses. */
@Injectable()
export class EmailChange {
  constructor(
    private readonly decisions: Decisions,
    private readonly emails: EmailLookup,
  ) {}

  /** @throws ApplicationError with which {@link request} would refuse the change */
  async check({ userId }: Pick<Caller, 'userId'>, sent: string): Promise<void> {
    const context = await this.context();
    const links = await this.decisions.load(requestedLinksOf(userId));
    decideRequestEmailChange(links, this.wanted(userId, sent), context);
  }

  /** @throws ApplicationError those of {@link decideRequestEmailChange} */
  async request(caller: Caller, sent: string): Promise<void> {
    const { userId } = caller;
    const context = await this.context();
    await this.decisions.decide(caller, requestedLinksOf(userId), (links) =>
      decideRequestEmailChange(links, this.wanted(userId, sent), context),
    );
  }

  private async context(): Promise<EmailChangeContext> {
    return { state: await this.decisions.load(foldedUsers), snapshot: this.decisions.snapshot() };
  }

  private wanted(userId: number, sent: string): WantedEmail {
    return { userId, sent, emailDigest: this.emails.digest(sent) };
  }
}
