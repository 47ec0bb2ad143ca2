import { foldedUsers } from '../users.state.js';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { Credentials } from '../credentials.js';
import { manageableBot } from '../bots.decide.js';

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
    private readonly decisions: Decisions,
    private readonly credentials: Credentials,
  ) {}

  /** @throws ApplicationError `noSuchUser`, `noSuchBot`, `insufficientPermission` */
  async execute({ caller, botId }: GetBotKey): Promise<string> {
    const bot = manageableBot(await this.decisions.load(foldedUsers), botId, caller.userId);
    return (await this.credentials.readableKeys([bot.id])).get(bot.id) ?? '';
  }
}
