import { Controller, Delete, Get, Headers } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { credentialsIn } from '../../http/authentication/basic-strategy.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import { ApiTags } from '../../http/documentation.decorators.js';
import type { SuccessFields } from '../../http/envelope.js';
import { PathName } from '../../http/parameters/path-parameters.js';
import { RevokeApiKey } from './commands/api-keys.js';
import { GetApiKeys } from './queries/account-security.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { apiKeysReply } from './users.replies.js';

/** The caller's own API keys, one for each log-in. */
@ApiTags('users')
@Controller('users/me/api_keys')
export class ApiKeysController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /**
   * Lists the caller's API keys, oldest first: the client that each was issued to, when it was created and
   * last used, and whether this request uses it; never the keys themselves.
   */
  @Reply(apiKeysReply)
  @Get()
  async list(
    @CurrentCaller() caller: Caller,
    @Headers('authorization') authorization: string | undefined,
  ): Promise<SuccessFields> {
    const [, current = ''] = credentialsIn(authorization);
    return { api_keys: await this.queries.execute(new GetApiKeys(caller, current)) };
  }

  /** Revokes one of the caller's API keys, named by its id in the list. The caller's other keys stay. */
  @Reply()
  @Delete(':id')
  async revoke(@CurrentCaller() caller: Caller, @PathName('id') id: string): Promise<void> {
    await this.commands.execute(new RevokeApiKey(caller, id));
  }
}
