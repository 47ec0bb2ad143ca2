import { Controller, Get, Post, Res, type StreamableFile } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { DirectoryFollower } from '../../access/directory-follower.js';
import { Public } from '../../http/authentication/authentication.decorators.js';
import { originOf } from '../../http/authentication/request-origin.js';
import { ApiExcludeController } from '../../http/documentation.decorators.js';
import { answerWithPage } from '../../http/pages.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { ApplicationError } from '../../kernel/errors.js';
import { Descriptions } from '../channels/channel-listing.js';
import { answerWithCredentials } from '../organization/credentials-reply.js';
import { ExternalMethods } from '../../http/authentication/external-methods.js';
import { PublicAddress } from '../../http/public-address.js';
import { LogIn } from '../users/commands/log-in.js';
import { LogInParameters } from '../users/log-in.parameters.js';
import { CREDENTIALS_PATH, frontPage, type FailedLogIn } from './front-page.js';

/** What this server is and how to connect to it, for browsers. */
@ApiExcludeController()
@Public()
@Controller()
export class FrontPageController {
  constructor(
    private readonly commands: CommandBus,
    private readonly follower: DirectoryFollower,
    private readonly address: PublicAddress,
    private readonly descriptions: Descriptions,
    private readonly external: ExternalMethods,
  ) {}

  /** Shows the front page. */
  @Get()
  show(@Res({ passthrough: true }) reply: FastifyReply): StreamableFile {
    return this.answer(reply, null);
  }

  /** Exchanges a password for a credentials file with a new key. Problems are shown above the form. */
  @Post(CREDENTIALS_PATH)
  async download(
    @Parameters(LogInParameters) parameters: LogInParameters,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    try {
      const logIn = new LogIn(parameters, originOf(reply.request));
      const { apiKey: key, user } = await this.commands.execute(logIn);
      return answerWithCredentials(reply, { email: user.email, key, site: this.address.url });
    } catch (error) {
      if (!(error instanceof ApplicationError)) throw error;
      return this.answer(reply, { username: parameters.username, problem: error.message });
    }
  }

  private answer(reply: FastifyReply, failed: FailedLogIn | null): StreamableFile {
    const { name: organization = 'Palimpsest', description = '' } =
      this.follower.current().organization?.settings ?? {};
    const shown = {
      organization,
      description: this.descriptions.html(description),
      address: this.address.url,
      external: this.external.all,
    };
    return answerWithPage(reply, frontPage(shown, failed));
  }
}
