import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { AccountLinkEvent } from '../../events/account-links.js';
import { NO_CLIENT_EVENT, type Mappers } from '../../realtime/mapper.js';
import { AccountEmails } from './account-emails.js';
import { AccountLinks } from './account-links.js';
import { AccountLinksController } from './account-links.controller.js';
import { AccountPagesController } from './account-pages.controller.js';
import {
  ConfirmEmailChangeHandler,
  EmailChange,
  RequestPasswordResetHandler,
  ResetPasswordHandler,
} from './commands/account-links.js';
import { SecondFactorEmails } from './second-factor-emails.js';

/** Requests that have to be confirmed by e-mail change nothing for clients before that. */
export const accountLinkMappers: Mappers<AccountLinkEvent> = {
  EmailChangeRequested: NO_CLIENT_EVENT,
  PasswordResetRequested: NO_CLIENT_EVENT,
};

/** Changes of accounts that are confirmed by a link in an e-mail. */
@Module({
  imports: [CqrsModule],
  controllers: [AccountLinksController, AccountPagesController],
  providers: [
    AccountLinks,
    EmailChange,
    AccountEmails,
    SecondFactorEmails,
    ConfirmEmailChangeHandler,
    RequestPasswordResetHandler,
    ResetPasswordHandler,
  ],
  exports: [EmailChange],
})
export class AccountLinksModule {}
