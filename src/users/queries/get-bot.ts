import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { failure } from '../../kernel/errors.js';
import { Accounts } from '../accounts.js';
import { botFields, type BotFields } from '../views/bot-object.js';

/** A bot as whoever changed it is told of it. */
export interface ChangedBot extends BotFields {
  readonly full_name: string;
}

/** Reads a bot that the caller has just made or changed. */
export class GetBot extends Query<ChangedBot> {
  constructor(readonly botId: number) {
    super();
  }
}

@QueryHandler(GetBot)
export class GetBotHandler implements IQueryHandler<GetBot> {
  constructor(private readonly accounts: Accounts) {}

  /** @throws ApplicationError `noSuchBot` */
  async execute({ botId }: GetBot): Promise<ChangedBot> {
    const bot = (await this.accounts.all()).users.get(botId);
    if (bot === undefined) throw failure('noSuchBot');
    return { full_name: bot.fullName, ...botFields(bot, this.accounts.moment().directory) };
  }
}
