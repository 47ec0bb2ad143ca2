import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { apiEmail } from '../../../access/email-visibility.js';
import { mayManageBot } from '../../../access/people-permissions.js';
import { defaultsOf, type User } from '../../../access/records/user.js';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { failure } from '../../../kernel/errors.js';
import {
  botDefaultFields,
  type BotDefaultFields,
  type BotView,
} from '../../channels/client-events/bot-defaults.js';
import { pictureUrl } from '../avatar.js';
import { manageableBot } from '../bots.decide.js';
import { Credentials } from '../credentials.js';
import { foldedUsers } from '../users.state.js';

/** The fields of bots in the API, without names. */
interface BotFields extends BotDefaultFields {
  readonly avatar_url: string;
}

/** The fields of a bot in the API, without name and key. */
export function botFields(bot: User, view: BotView): BotFields {
  return { avatar_url: pictureUrl(bot, bot.email), ...botDefaultFields(defaultsOf(bot), view) };
}

/** Where an outgoing webhook bot sends requests, with the token in them; empty for others. */
export function servicesOf({ bot }: User, token: string | null): readonly object[] {
  if (bot?.service === undefined) return [];
  const { baseUrl: base_url, interface: kind } = bot.service;
  return [{ base_url, interface: kind, token: token ?? '' }];
}

/** A bot as its owner sees it. */
interface OwnedBot extends BotFields {
  readonly username: string;
  readonly full_name: string;
  /** Empty while the key waits to be renewed, and if the bot's role is above its owner's. */
  readonly api_key: string;
  /** Where an outgoing webhook bot sends requests; empty for others. */
  readonly services: readonly object[];
}

/** Lists the caller's active bots with their keys (`GET /bots`). */
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
    const snapshot = this.decisions.snapshot();
    const { directory } = snapshot;
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
      ...botFields(bot, { snapshot, viewer: owner }),
    }));
  }
}

/** A bot as the reply to a change describes it. */
interface ChangedBot extends BotFields {
  readonly full_name: string;
  /** The owner's address; null: no owner. */
  readonly bot_owner: string | null;
  /** Where an outgoing webhook bot sends requests; absent for others. */
  readonly service_payload_url?: string;
  readonly service_interface?: number;
}

/** Reads a bot that the caller has just created or changed. */
export class GetBot extends Query<ChangedBot> {
  constructor(
    readonly caller: Caller,
    readonly botId: number,
  ) {
    super();
  }
}

@QueryHandler(GetBot)
export class GetBotHandler implements IQueryHandler<GetBot> {
  constructor(private readonly decisions: Decisions) {}

  /** @throws ApplicationError `noSuchBot` */
  async execute({ caller, botId }: GetBot): Promise<ChangedBot> {
    const { users } = await this.decisions.load(foldedUsers);
    const bot = users.get(botId);
    if (bot === undefined) throw failure('noSuchBot');
    const snapshot = this.decisions.snapshot();
    const viewer = this.decisions.actor(caller).user;
    const service = bot.bot?.service;
    const owner = users.get(bot.bot?.ownerId ?? 0);
    return {
      full_name: bot.fullName,
      bot_owner: owner === undefined ? null : apiEmail(snapshot.directory, owner),
      ...botFields(bot, { snapshot, viewer }),
      ...(service !== undefined && {
        service_payload_url: service.baseUrl,
        service_interface: service.interface,
      }),
    };
  }
}

/** Reads a bot's key, for its owner and for administrators. Empty while it waits to be renewed. */
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
