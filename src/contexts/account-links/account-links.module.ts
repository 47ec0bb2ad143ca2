import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AccountLinks } from './account-links.js';
import { AccountLinksController } from './account-links.controller.js';
import { AccountPagesController } from './account-pages.controller.js';
import {
  ConfirmEmailChangeHandler,
  RequestPasswordResetHandler,
  ResetPasswordHandler,
} from './commands/account-links.js';
import { EmailChange } from './email-change.js';
import { AccountEmails } from './account-emails.js';
import { SecondFactorEmails } from './second-factor-emails.js';

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
