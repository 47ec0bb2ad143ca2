import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { mayManageBot } from '../../../access/people-permissions.js';
import { Credentials } from '../credentials.js';
import { botFields, servicesOf, type BotFields } from '../views/bot-object.js';
import { apiEmail } from '../../../access/email-visibility.js';
import { failure } from '../../../kernel/errors.js';
import { foldedUsers } from '../users.state.js';
import { manageableBot } from '../bots.decide.js';

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
    const { directory } = this.decisions.snapshot();
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

/** A bot as whoever changed it is told of it. */
export interface ChangedBot extends BotFields {
  readonly full_name: string;
  /** The address of whose it is; null: nobody’s. */
  readonly bot_owner: string | null;
  /** Where requests of an outgoing webhook bot go; absent: nowhere. */
  readonly service_payload_url?: string;
  readonly service_interface?: number;
}

/** Reads a bot that the caller has just made or changed. */
export class GetBot extends Query<ChangedBot> {
  constructor(readonly botId: number) {
    super();
  }
}

@QueryHandler(GetBot)
export class GetBotHandler implements IQueryHandler<GetBot> {
  constructor(private readonly decisions: Decisions) {}

  /** @throws ApplicationError `noSuchBot` */
  async execute({ botId }: GetBot): Promise<ChangedBot> {
    const { users } = await this.decisions.load(foldedUsers);
    const bot = users.get(botId);
    if (bot === undefined) throw failure('noSuchBot');
    const { directory } = this.decisions.snapshot();
    const service = bot.bot?.service;
    const owner = users.get(bot.bot?.ownerId ?? 0);
    return {
      full_name: bot.fullName,
      bot_owner: owner === undefined ? null : apiEmail(directory, owner),
      ...botFields(bot, directory),
      ...(service !== undefined && {
        service_payload_url: service.baseUrl,
        service_interface: service.interface,
      }),
    };
  }
}

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
