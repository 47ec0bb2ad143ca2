import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AccountLinks } from './account-links.js';
import { AccountLinksController } from './account-links.controller.js';
import { AccountPagesController } from './account-pages.controller.js';
import { ConfirmEmailChangeHandler } from './commands/confirm-email-change.js';
import { RequestPasswordResetHandler } from './commands/request-password-reset.js';
import { ResetPasswordHandler } from './commands/reset-password.js';
import { EmailChanges } from './email-changes.js';
import { AccountLetters } from './letters.js';
import { SecondFactorLetters } from './second-factor-letters.js';

/** Changes of an account that its person confirms by a link that is mailed to them. */
@Module({
  imports: [CqrsModule],
  controllers: [AccountLinksController, AccountPagesController],
  providers: [
    AccountLinks,
    EmailChanges,
    AccountLetters,
    SecondFactorLetters,
    ConfirmEmailChangeHandler,
    RequestPasswordResetHandler,
    ResetPasswordHandler,
  ],
  exports: [EmailChanges],
})
export class AccountLinksModule {}
