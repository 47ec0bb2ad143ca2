import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Directory } from '../../../access/directory.js';
import { apiEmail } from '../../../access/email-visibility.js';
import { mayManageBot } from '../../../access/people-permissions.js';
import { defaultsOf, type BotDefaults, type User } from '../../../access/records/user.js';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { failure } from '../../../kernel/errors.js';
import { pictureUrl } from '../avatar.js';
import { manageableBot } from '../bots.decide.js';
import { Credentials } from '../credentials.js';
import { foldedUsers } from '../users.state.js';

/** The fields of bots in the API, without names. */
interface BotFields extends BotDefaultFields {
  readonly avatar_url: string;
}

/** A bot's defaults for what its requests do not specify: names of channels, null for none. */
interface BotDefaultFields {
  readonly default_sending_stream: string | null;
  readonly default_events_register_stream: string | null;
  readonly default_all_public_streams: boolean;
}

/** The fields of a bot in the API, without name and key. */
export function botFields(bot: User, directory: Directory): BotFields {
  return { avatar_url: pictureUrl(bot, bot.email), ...botDefaultFields(defaultsOf(bot), directory) };
}

/** Where an outgoing webhook bot sends requests, with the token in them; empty for others. */
export function servicesOf({ bot }: User, token: string | null): readonly object[] {
  if (bot?.service === undefined) return [];
  const { baseUrl: base_url, interface: kind } = bot.service;
  return [{ base_url, interface: kind, token: token ?? '' }];
}

/** A bot’s defaults, with the channels by their names. */
export function botDefaultFields(
  { sendingChannelId, registeringChannelId, allPublicChannels }: BotDefaults,
  directory: Directory,
): BotDefaultFields {
  return {
    default_sending_stream: channelName(directory, sendingChannelId),
    default_events_register_stream: channelName(directory, registeringChannelId),
    default_all_public_streams: allPublicChannels,
  };
}

function channelName(directory: Directory, id: number | null): string | null {
  return id === null ? null : (directory.channel(id)?.name ?? null);
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
