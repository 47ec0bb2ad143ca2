import { Controller, Get, Headers, Post, Res, StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ModelBehindError } from '../../../projections/engine/reactor.js';
import { Public } from '../../http/authentication/authentication.decorators.js';
import { originOf } from '../../http/authentication/request-origin.js';
import { ApiExcludeController } from '../../http/documentation.decorators.js';
import type { SuccessFields } from '../../http/envelope.js';
import { formBody, plainPage, sendPage } from '../../http/pages.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { ApplicationError, failure } from '../../kernel/errors.js';
import { answerWithCredentials } from '../organization/credentials-reply.js';
import { EXTERNAL_SIGN_IN_PATH } from '../../http/authentication/external-methods.js';
import { PublicAddress } from '../../http/public-address.js';
import { BeginSignInParameters, ExternalSignIns, type SignInResult } from './external-sign-ins.js';
import { EncryptedCookies } from './encrypted-cookies.js';

/**
 * Signing in with the configured provider. The browser is redirected to the provider, comes back, and gets a
 * key by a further request that no other site can make for it, so following a link never issues a key. Phone
 * apps get their key at once.
 */
@ApiExcludeController()
@Public()
@Controller(EXTERNAL_SIGN_IN_PATH)
export class ExternalSignInController {
  constructor(
    private readonly signIns: ExternalSignIns,
    private readonly cookies: EncryptedCookies,
    private readonly address: PublicAddress,
  ) {}

  /** Redirects the browser to the provider. */
  @Get()
  async begin(
    @Parameters(BeginSignInParameters) parameters: BeginSignInParameters,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(reply, async () => {
      const { url, cookie } = await this.signIns.begin(parameters);
      await reply.header('set-cookie', cookie).redirect(url, 302);
    });
  }

  /** The address to which the provider redirects the browser. */
  @Get('callback')
  async complete(@Res() reply: FastifyReply): Promise<void> {
    const { headers, url } = reply.request;
    await this.answer(reply, async () => {
      const [query = ''] = /\?.*$/.exec(url) ?? [];
      const sent = { query, cookie: headers.cookie, origin: originOf(reply.request) };
      const result = await this.signIns.complete(sent);
      reply.header('set-cookie', this.cookies.clear('flow'));
      await this.welcome(reply, result);
    });
  }

  /** Returns a credentials file with a new key to a person who has just signed in. */
  @Post('credentials')
  async download(
    @Headers('cookie') cookie: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const { apiKey: key, user } = await this.admitted(reply, cookie);
    return answerWithCredentials(reply, { email: user.email, key, site: this.address.url });
  }

  /** Returns a new key to the console of a person who has just signed in. */
  @Post('key')
  async key(
    @Headers('cookie') cookie: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SuccessFields> {
    const { apiKey, user } = await this.admitted(reply, cookie);
    return { api_key: apiKey, email: user.email };
  }

  private async welcome(reply: FastifyReply, result: SignInResult): Promise<void> {
    if (result.kind === 'app') {
      await reply.redirect(result.url, 302);
      return;
    }
    reply.header('set-cookie', result.cookie);
    if (result.next === 'console') {
      await reply.redirect('/console/?signed_in', 302);
      return;
    }
    const lines = [
      `<p>Programs read address and key from a file, <code>zuliprc</code>. Each download makes a key of its own; keep it like a password.</p>`,
      '<button>Download zuliprc</button>',
    ];
    const body = formBody({ action: `/${EXTERNAL_SIGN_IN_PATH}/credentials`, problem: null }, lines);
    await sendPage(reply, 200, { title: 'You are signed in', body });
  }

  private admitted(reply: FastifyReply, cookie: string | undefined): ReturnType<ExternalSignIns['admit']> {
    reply.header('set-cookie', this.cookies.clear('ticket'));
    return this.signIns.admit(cookie, originOf(reply.request));
  }

  private async answer(reply: FastifyReply, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      const error = thrown instanceof ModelBehindError ? failure('unavailable') : thrown;
      if (!(error instanceof ApplicationError)) throw error;
      await sendPage(reply, error.status, plainPage('You could not be signed in', error.message));
    }
  }
}
