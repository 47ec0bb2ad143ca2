import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Accounts } from '../accounts.js';
import { Credentials } from '../credentials.js';
import { manageableBot } from '../manageable-bot.js';

/** Reads a bot's key again: for its owner and for administrators. Empty when it is yet to be renewed. */
export class GetBotKey extends Query<string> {
  constructor(
    readonly caller: Caller,
    readonly botId: number,
  ) {
    super();
  }
}

@QueryHandler(GetBotKey)
export class GetBotKeyHandler implements IQueryHandler<GetBotKey> {
  constructor(
    private readonly accounts: Accounts,
    private readonly credentials: Credentials,
  ) {}

  /** @throws ApplicationError `noSuchUser`, `noSuchBot`, `insufficientPermission` */
  async execute({ caller, botId }: GetBotKey): Promise<string> {
    const bot = manageableBot(await this.accounts.all(), botId, { actorId: caller.userId });
    return (await this.credentials.readableKeys([bot.id])).get(bot.id) ?? '';
  }
}
