import { Controller, Get, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { DirectoryFollower } from '../../access/directory-follower.js';
import { clientName } from '../../http/authentication/request-origin.js';
import { Public } from '../../http/authentication/authentication.decorators.js';
import { ApiExcludeController } from '../../http/documentation.decorators.js';
import { formBody, plainPage, sendPage, type Page } from '../../http/pages.js';
import { escapeHtml } from '../../kernel/escape-html.js';
import { PathName } from '../../http/parameters/path-parameters.js';
import { ApplicationError } from '../../kernel/errors.js';
import { Unsubscribe } from './commands/unsubscribe.js';
import { subjectOfChoice, type MailChoice } from './mail-choice.js';
import { UNSUBSCRIBE_PATH, UnsubscribeLinks } from './unsubscribe-links.js';

/**
 * The pages behind unsubscribe links. A GET changes nothing, because programs follow links to check them:
 * only a POST does, by the page's button or by the recipient's mail program (RFC 8058, section 3.2).
 */
@ApiExcludeController()
@Public()
@Controller(UNSUBSCRIBE_PATH)
export class UnsubscribePagesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly links: UnsubscribeLinks,
    private readonly follower: DirectoryFollower,
  ) {}

  /** Asks whether to turn the e-mails off. */
  @Get(':token')
  async ask(@PathName('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    await this.answer(reply, () => {
      const subject = this.subject(this.links.follow(token).choice);
      const lines = [
        `<p>You will get no more e-mails about ${escapeHtml(subject)}. Nothing else changes.</p>`,
        '<button>Unsubscribe</button>',
      ];
      const body = formBody({ action: `/${UNSUBSCRIBE_PATH}/${token}`, problem: null }, lines);
      return Promise.resolve({ title: 'Unsubscribe', body });
    });
  }

  /** Turns the e-mails off. */
  @Post(':token')
  async end(@PathName('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    const { headers, id: requestId } = reply.request;
    const by = { client: clientName(headers['user-agent']), requestId };
    await this.answer(reply, async () => {
      const { choice } = await this.commands.execute(new Unsubscribe(token, by));
      const text = `You get no more e-mails about ${this.subject(choice)}. Your settings have it, should you change your mind.`;
      return plainPage('You are unsubscribed', text);
    });
  }

  private subject(choice: MailChoice): string {
    return subjectOfChoice(choice, this.follower.current());
  }

  /** Mail programs rely on the status, so a refusal must not have a status of success. */
  private async answer(reply: FastifyReply, page: () => Promise<Page>): Promise<void> {
    try {
      await sendPage(reply, 200, await page());
    } catch (error) {
      if (!(error instanceof ApplicationError)) throw error;
      await sendPage(reply, error.status, plainPage('This link does not work', error.message));
    }
  }
}
