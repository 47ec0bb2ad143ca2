import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EmailLookup } from '../../../access/email-lookup.js';
import type { UserEvent } from '../../../events/users.js';
import { originOfCaller } from '../../../http/authentication/request-origin.js';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { PublicAddress } from '../../../http/public-address.js';
import { requiredText } from '../../../kernel/text.js';
import {
  decideCreateBot,
  decideDeactivateBot,
  decideUpdateBot,
  type BotChanges,
  type NewBot,
} from '../bots.decide.js';
import { Credentials } from '../credentials.js';
import { KeyRenewals } from '../key-renewals.js';
import { SecurityRecords } from '../security/security-records.js';
import { foldedUsers } from '../users.state.js';

/** Maximum length in code points: with the suffix `-bot` it must fit before the @ of an address. */
export const MAX_SHORT_NAME_LENGTH = 60;

/**
 * The address of a bot.
 *
 * @throws ApplicationError for a short name that is empty or too long
 */
function botAddress(shortName: string, { domain }: Pick<PublicAddress, 'domain'>): string {
  return `${requiredText(shortName, { name: 'short_name', max: MAX_SHORT_NAME_LENGTH })}-bot@${domain}`;
}

/** Creates a bot (`POST /bots`). Returns its id and its key. */
export class CreateBot extends Command<CreatedBot> {
  constructor(
    readonly caller: Caller,
    readonly request: Pick<NewBot, 'fullName' | 'type' | 'defaults' | 'service'> & {
      readonly shortName: string;
    },
  ) {
    super();
  }
}

/** A bot that was created. */
export interface CreatedBot {
  readonly userId: number;
  readonly apiKey: string;
}

@CommandHandler(CreateBot)
export class CreateBotHandler implements ICommandHandler<CreateBot> {
  constructor(
    private readonly decisions: Decisions,
    private readonly emails: EmailLookup,
    private readonly credentials: Credentials,
    private readonly address: PublicAddress,
    private readonly records: SecurityRecords,
  ) {}

  /**
   * If the command is interrupted before the key is issued, the owner can renew the key of the existing bot.
   */
  async execute({ caller, request: { shortName, ...request } }: CreateBot): Promise<CreatedBot> {
    const email = botAddress(shortName, this.address);
    const bot = { ...request, email, emailDigest: this.emails.digest(email) };
    const created = await this.decisions.decideThen(caller, foldedUsers, {
      decide: (state, actor) => decideCreateBot(state, bot, actor),
      then: (events) => this.issueKey(events),
    });
    const issued = { ...created, reason: 'bot-created' } as const;
    await this.records.keyIssued(issued, originOfCaller(caller), caller.userId);
    return created;
  }

  /** The clients of the owner and of administrators get the bot with its key. */
  private async issueKey([registered]: readonly UserEvent[]): Promise<CreatedBot> {
    if (registered?.type !== 'UserRegistered') throw new Error('A registration always appends');
    const { userId, bot } = registered.data;
    return { userId, apiKey: (await this.credentials.issueKey({ id: userId, bot }, null)).key };
  }
}

/** Changes a bot (`PATCH /bots/{bot_id}`). */
export class UpdateBot extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly changes: Omit<BotChanges, 'address'> & {
      /** The beginning of its new address. */
      readonly shortName: string | null;
    },
  ) {
    super();
  }
}

@CommandHandler(UpdateBot)
export class UpdateBotHandler implements ICommandHandler<UpdateBot> {
  constructor(
    private readonly renewals: KeyRenewals,
    private readonly emails: EmailLookup,
    private readonly address: PublicAddress,
  ) {}

  async execute({ caller, changes: { shortName, ...changes } }: UpdateBot): Promise<void> {
    const email = shortName === null ? null : botAddress(shortName, this.address);
    const address = email === null ? null : { email, emailDigest: this.emails.digest(email) };
    await this.renewals.decide(caller, (state, actor) =>
      decideUpdateBot(state, { ...changes, address }, actor),
    );
  }
}

/** Deactivates a bot and revokes its keys. */
export class DeactivateBot extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly userId: number,
  ) {
    super();
  }
}

@CommandHandler(DeactivateBot)
export class DeactivateBotHandler implements ICommandHandler<DeactivateBot> {
  constructor(private readonly renewals: KeyRenewals) {}

  async execute({ caller, userId }: DeactivateBot): Promise<void> {
    await this.renewals.decide(caller, (state, actor) => decideDeactivateBot(state, { userId }, actor));
  }
}
