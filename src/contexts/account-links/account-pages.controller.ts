import { foldedUsers } from '../users/users.state.js';
import { Controller, Get, Post, Res, type StreamableFile } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { ApiExcludeController } from '../../http/documentation.decorators.js';
import { clientName } from '../../http/authentication/request-origin.js';
import { Public } from '../../http/authentication/authentication.decorators.js';
import { answerWithPage, formBody, plainPage, type Page } from '../../http/pages.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathName } from '../../http/parameters/path-parameters.js';
import { ApplicationError } from '../../kernel/errors.js';
import { Decisions } from '../../http/decisions.js';
import { requestedLinksOf } from './requested-links.state.js';
import { AccountLinks } from './account-links.js';
import { ConfirmEmailChange, ResetPassword } from './commands/account-links.js';
import { decideResetPassword } from './account-links.decide.js';
import { ResetPasswordFormParameters } from './account-links.parameters.js';

const passwordFields = [
  '<p>Take at least 6 characters that are hard to guess: several words that do not belong together are best.</p>',
  '<label>A new password <input name="new_password" type="password" required minlength="6" maxlength="100" autocomplete="new-password"></label>',
  '<button>Set my password</button>',
];

/** The pages behind links in e-mails, for browsers. */
@ApiExcludeController()
@Public()
@Controller('accounts')
export class AccountPagesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly links: AccountLinks,
    private readonly decisions: Decisions,
  ) {}

  /** Confirms a new address: following the link is the confirmation. */
  @Get('confirm_new_email/:token')
  async confirmEmail(
    @PathName('token') token: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    return answerWithPage(reply, await this.confirmation(token, clientOf(reply)));
  }

  /**
   * Explains what to do about a change that somebody else made. It changes nothing, and reveals nothing about
   * an account.
   */
  @Get('not_me')
  notMe(@Res({ passthrough: true }) reply: FastifyReply): StreamableFile {
    return answerWithPage(reply, {
      title: 'If it was not you',
      body: [
        '<p>Somebody who is logged in to your account, or who reads your mail, may have changed it.</p>',
        '<ol>',
        '<li>Ask your client for a new password (“forgot password”), and follow the link in the e-mail that comes. Every program that is logged in to your account is then logged out.</li>',
        '<li>If no e-mail comes, the address of your account is another one by now: tell the administrators of your organization.</li>',
        '<li>Change the password of your mail as well, if others may know it.</li>',
        '</ol>',
      ].join('\n'),
    });
  }

  /** Shows the form for a new password. */
  @Get('password/reset/:token')
  async showPasswordForm(
    @PathName('token') token: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    return answerWithPage(reply, await this.passwordForm(token, null));
  }

  /** Handles the form. Problems are shown above it. */
  @Post('password/reset/:token')
  async takePasswordForm(
    @PathName('token') token: string,
    @Parameters(ResetPasswordFormParameters) { new_password: password = '' }: ResetPasswordFormParameters,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    return answerWithPage(reply, await this.reset({ token, password }, clientOf(reply)));
  }

  private async confirmation(token: string, client: string): Promise<Page> {
    try {
      const email = await this.commands.execute(new ConfirmEmailChange(token, client));
      return plainPage('Your address is confirmed', `From now on you log in as ${email}.`);
    } catch (error) {
      return brokenLink(error);
    }
  }

  private async reset(request: ResetPassword['request'], client: string): Promise<Page> {
    try {
      await this.commands.execute(new ResetPassword(request, client));
      return plainPage('Your password is set', 'You can now log in with it.');
    } catch (error) {
      if (!(error instanceof ApplicationError) || error.row === 'linkInvalid') return brokenLink(error);
      return this.passwordForm(request.token, error.message);
    }
  }

  /** A link that was used, or is no longer valid, is refused before a password is chosen. */
  private async passwordForm(token: string, problem: string | null): Promise<Page> {
    try {
      const followed = this.links.follow('password-reset', token);
      const snapshot = this.decisions.snapshot();
      const links = await this.decisions.load(requestedLinksOf(followed.userId));
      decideResetPassword(await this.decisions.load(foldedUsers), { ...followed, links }, { snapshot });
      const action = `/accounts/password/reset/${token}`;
      const { organizationName: organization } = snapshot.directory;
      return {
        title: `Set a password for ${organization}`,
        body: formBody({ action, problem }, passwordFields),
      };
    } catch (error) {
      return brokenLink(error);
    }
  }
}

function clientOf({ request }: FastifyReply): string {
  return clientName(request.headers['user-agent']);
}

function brokenLink(error: unknown): Page {
  if (!(error instanceof ApplicationError)) throw error;
  return plainPage('This link does not work', error.message);
}
