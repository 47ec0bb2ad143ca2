import { Controller, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Public } from '../../http/authentication/authentication.decorators.js';
import { Origin, type RequestOrigin } from '../../http/authentication/request-origin.js';
import { ApiTags } from '../../http/documentation.decorators.js';
import type { SuccessFields } from '../../http/envelope.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { LogIn, LogInWithToken } from './commands/log-in.js';
import { LogInParameters, LogInWithTokenParameters } from './log-in.parameters.js';
import { GetUser } from './queries/users.js';
import { loggedInReply, tokenExchangedReply } from './users.replies.js';

/** Logging in for an API key. */
@ApiTags('users')
@Public()
@Controller('fetch_api_key')
export class LogInController {
  constructor(private readonly commands: CommandBus) {}

  /** Exchanges a password for an API key. */
  @Reply(loggedInReply)
  @Post()
  async logIn(
    @Parameters(LogInParameters) parameters: LogInParameters,
    @Origin() origin: RequestOrigin,
  ): Promise<SuccessFields> {
    const { apiKey, user } = await this.commands.execute(new LogIn(parameters, origin));
    return { api_key: apiKey, email: user.email, user_id: user.id };
  }
}

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
    @Parameters(LogInWithTokenParameters)
    { token = '', include_profile: isAsked }: LogInWithTokenParameters,
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
