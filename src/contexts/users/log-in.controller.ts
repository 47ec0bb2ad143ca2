import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '../../http/documentation.decorators.js';
import { Public } from '../../http/authentication/authentication.decorators.js';
import { Origin, type RequestOrigin } from '../../http/authentication/request-origin.js';
import type { SuccessFields } from '../../http/envelope.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { LogIn } from './commands/log-in.js';
import { LogInParameters } from './log-in.parameters.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { loggedInReply } from './users.replies.js';

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
