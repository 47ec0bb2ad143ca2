import { Controller, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '../../http/documentation.decorators.js';
import { Public } from '../../http/authentication/authentication.decorators.js';
import { Origin, type RequestOrigin } from '../../http/authentication/request-origin.js';
import type { SuccessFields } from '../../http/envelope.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { LogInWithToken } from './commands/log-in-with-token.js';
import { LogInWithTokenParameters } from './log-in.parameters.js';
import { GetUser } from './queries/users.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { tokenExchangedReply } from './users.replies.js';

/** Logging in with a token from another server. */
@ApiTags('users')
@Public()
@Controller('jwt/fetch_api_key')
export class WebTokenController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Exchanges a JSON Web Token for an API key. */
  @Reply(tokenExchangedReply)
  @Post()
  async logIn(
    @Parameters(LogInWithTokenParameters) { token, include_profile: isAsked }: LogInWithTokenParameters,
    @Origin() origin: RequestOrigin,
  ): Promise<SuccessFields> {
    const command = new LogInWithToken(token, origin);
    const { apiKey, user } = await this.commands.execute(command);
    const reply = { api_key: apiKey, email: user.email };
    if (isAsked !== true) return reply;
    const format = { clientGravatar: false, includeProfile: false };
    const query = new GetUser({ userId: user.id }, user.id, format);
    return { ...reply, user: await this.queries.execute(query) };
  }
}
