import { Controller, Get, Post, Res, type StreamableFile } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { DirectoryFollower } from '../../access/directory-follower.js';
import { Public } from '../../http/authentication/authentication.decorators.js';
import { originOf, type RequestOrigin } from '../../http/authentication/request-origin.js';
import { ApiExcludeController } from '../../http/documentation.decorators.js';
import { answerWithPage, formBody, plainPage, type Page, type PageForm } from '../../http/pages.js';
import { escapeHtml } from '../../kernel/escape-html.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathName } from '../../http/parameters/path-parameters.js';
import { ApplicationError, failure } from '../../kernel/errors.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { AcceptInvitation, RequestSignUp } from './commands/joining.js';
import { isPersonal } from './invitations.state.js';
import { InvitationsReader } from './invitations-reader.js';
import { JoinFormParameters } from './invitations.parameters.js';
import { JoinLinks, type OpenedLink } from './join-links.js';
import { assertIsOpen } from './open-invitation.decide.js';

/** The person who is about to join, and the organization. */
interface JoiningPerson {
  readonly organization: string;
  /** Name of the inviter; null: nobody, or a link for many people. */
  readonly inviter: string | null;
  readonly email: string;
  /** As they typed it; empty at first. */
  readonly fullName: string;
}

/** A form for name and password. */
function accountForm(form: PageForm, { organization, inviter, email, fullName }: JoiningPerson): Page {
  return {
    title: `Join ${organization}`,
    body: formBody(form, [
      ...(inviter === null ? [] : [`<p>${escapeHtml(inviter)} has invited you.</p>`]),
      `<p>Your account will have the address <strong>${escapeHtml(email)}</strong>.</p>`,
      `<label>Your name <input name="full_name" required minlength="2" maxlength="100" autocomplete="name" value="${escapeHtml(fullName)}"></label>`,
      '<p>Take a password of at least 6 characters that is hard to guess: several words that do not belong together are best.</p>',
      '<label>A password <input name="password" type="password" required minlength="6" maxlength="100" autocomplete="new-password"></label>',
      '<button>Make my account</button>',
    ]),
  };
}

/** A form for an address. */
function addressForm(form: PageForm, organization: string): Page {
  return {
    title: `Join ${organization}`,
    body: formBody(form, [
      '<p>We will send you a link by which you make your account.</p>',
      '<label>Your e-mail address <input name="email" type="email" required maxlength="254" autocomplete="email"></label>',
      '<button>Send me the link</button>',
    ]),
  };
}

/** Joining, for browsers. */
@ApiExcludeController()
@Public()
@Controller('join')
export class JoinPagesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly invitations: InvitationsReader,
    private readonly links: JoinLinks,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  /** Shows the form of an invitation, or of a reusable link. */
  @Get(':token')
  async show(
    @PathName('token') token: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    return this.answer(reply, () => this.form(token, { problem: null, fullName: '' }));
  }

  /** Handles the form. Problems are shown above it. */
  @Post(':token')
  async take(
    @PathName('token') token: string,
    @Parameters(JoinFormParameters) sent: JoinFormParameters,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    return this.answer(reply, async () => {
      try {
        return await this.submit(token, sent, originOf(reply.request));
      } catch (error) {
        if (!(error instanceof ApplicationError) || error.row === 'invitationInvalid') throw error;
        return this.form(token, { problem: error.message, fullName: sent.full_name ?? '' });
      }
    });
  }

  private async submit(token: string, sent: JoinFormParameters, origin: RequestOrigin): Promise<Page> {
    if (this.open(token).kind === 'link') {
      const { email = '' } = sent;
      await this.commands.execute(new RequestSignUp({ token, email }, origin.client));
      return plainPage('Look into your mail', `A link is on its way to ${email.trim()}.`);
    }
    const { full_name: fullName = '', password = '' } = sent;
    const { email } = await this.commands.execute(
      new AcceptInvitation({ token, fullName, password }, origin),
    );
    return plainPage(`Welcome to ${this.organization}`, `You can now log in as ${email} with your client.`);
  }

  private async form(
    token: string,
    { problem, fullName }: { readonly problem: string | null; readonly fullName: string },
  ): Promise<Page> {
    const { kind, id } = this.open(token);
    const all = await this.invitations.all();
    const invitation = all.byId.get(id);
    if (invitation === undefined) throw failure('invitationInvalid');
    assertIsOpen(invitation, all, { directory: this.follower.current(), now: this.clock.now() });
    const action = `/join/${token}`;
    if (kind === 'link') return addressForm({ action, problem }, this.organization);
    const making = await this.invitations.making(id);
    const email = making.type === 'InvitationSent' ? making.data.email : '';
    const account = isPersonal(invitation) ? this.follower.current().user(invitation.inviterId) : null;
    const inviter = account?.fullName ?? null;
    return accountForm({ action, problem }, { organization: this.organization, inviter, email, fullName });
  }

  private open(token: string): OpenedLink {
    const opened = this.links.open(token);
    if (opened === null) throw failure('invitationInvalid');
    return opened;
  }

  private get organization(): string {
    return this.follower.current().organizationName;
  }

  private async answer(reply: FastifyReply, make: () => Promise<Page>): Promise<StreamableFile> {
    const page = await make().catch((error: unknown) => {
      if (error instanceof ApplicationError && error.row === 'invitationInvalid') {
        return plainPage('This link does not work', error.message);
      }
      throw error;
    });
    return answerWithPage(reply, page);
  }
}
