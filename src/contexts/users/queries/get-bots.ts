import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { mayManageBot } from '../../../access/people-permissions.js';
import { Credentials } from '../credentials.js';
import { botFields, servicesOf, type BotFields } from '../views/bot-object.js';

/** A bot as its owner sees it. */
export interface OwnedBot extends BotFields {
  readonly username: string;
  readonly full_name: string;
  /** Empty when its key is yet to be renewed, or when the bot's role is above its owner's. */
  readonly api_key: string;
  /** Where an outgoing webhook bot's requests go; empty for others. */
  readonly services: readonly object[];
}

/** Lists the caller's active bots with their keys (facts, section 5, GET bots). */
export class GetBots extends Query<readonly OwnedBot[]> {
  constructor(readonly caller: Caller) {
    super();
  }
}

@QueryHandler(GetBots)
export class GetBotsHandler implements IQueryHandler<GetBots> {
  constructor(
    private readonly decisions: Decisions,
    private readonly credentials: Credentials,
  ) {}

  async execute({ caller }: GetBots): Promise<readonly OwnedBot[]> {
    const { directory } = this.decisions.moment();
    const bots = [...directory.users()].filter(
      (user) => user.isActive && user.bot?.ownerId === caller.userId,
    );
    const owner = this.decisions.actor(caller).user;
    const readable = bots.filter((bot) => mayManageBot(owner, bot));
    const keys = await this.credentials.readableKeys(readable.map(({ id }) => id));
    return bots.map((bot) => ({
      username: bot.email,
      full_name: bot.fullName,
      api_key: keys.get(bot.id) ?? '',
      services: servicesOf(bot, readable.includes(bot) ? this.credentials.serviceToken(bot.id) : null),
      ...botFields(bot, directory),
    }));
  }
}
