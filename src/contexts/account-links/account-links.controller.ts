import { Controller, Headers, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { Public } from '../../http/authentication/authentication.decorators.js';
import { clientName } from '../../http/authentication/request-origin.js';
import { ApiTags } from '../../http/documentation.decorators.js';
import type { SuccessFields } from '../../http/envelope.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import {
  ConfirmEmailParameters,
  RequestPasswordResetParameters,
  ResetPasswordParameters,
} from './account-links.parameters.js';
import { ConfirmEmailChange, RequestPasswordReset, ResetPassword } from './commands/account-links.js';

/** Answered by `POST accounts/confirm_new_email`. */
const confirmedEmailReply = { email: z.string().describe('The new e-mail address of the account') };

/**
 * Changes that people confirm by a link in an e-mail: the endpoints for programs. Browsers are led to a page.
 */
@ApiTags('settings')
@Public()
@Controller('accounts')
export class AccountLinksController {
  constructor(private readonly commands: CommandBus) {}

  /** Confirms a new address, and returns it. */
  @Reply(confirmedEmailReply)
  @Post('confirm_new_email')
  async confirmEmail(
    @Parameters(ConfirmEmailParameters) { token }: ConfirmEmailParameters,
    @Headers('user-agent') userAgent: string | undefined,
  ): Promise<SuccessFields> {
    const command = new ConfirmEmailChange(token, clientName(userAgent));
    return { email: await this.commands.execute(command) };
  }

  /**
   * Requests an e-mail by which a password can be set. The reply does not reveal whether the address has an
   * account.
   */
  @Reply()
  @Post('password/reset')
  async requestPasswordReset(
    @Parameters(RequestPasswordResetParameters) { email }: RequestPasswordResetParameters,
    @Headers('user-agent') userAgent: string | undefined,
  ): Promise<void> {
    await this.commands.execute(new RequestPasswordReset(email, clientName(userAgent)));
  }

  /** Sets a password by a link. */
  @Reply()
  @Post('password/set')
  async resetPassword(
    @Parameters(ResetPasswordParameters) { token, new_password: password }: ResetPasswordParameters,
    @Headers('user-agent') userAgent: string | undefined,
  ): Promise<void> {
    await this.commands.execute(new ResetPassword({ token, password }, clientName(userAgent)));
  }
}
