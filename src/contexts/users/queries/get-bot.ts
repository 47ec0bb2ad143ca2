import { foldedUsers } from '../users.state.js';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { apiEmail } from '../../../access/email-visibility.js';
import { failure } from '../../../kernel/errors.js';
import { Decisions } from '../../../http/decisions.js';
import { botFields, type BotFields } from '../views/bot-object.js';

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
    const { directory } = this.decisions.moment();
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
