import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { botTypes, mayCreateBot } from '../../../access/people-permissions.js';
import { originOfCaller } from '../../../http/authentication/request-origin.js';
import type { Caller } from '../../../http/caller.js';
import { SecurityRecords } from '../security/security-records.js';
import { failure } from '../../../kernel/errors.js';
import { idAtRevision } from '../../../kernel/ids.js';
import { PublicAddress } from '../../organization/public-address.js';
import { Accounts } from '../accounts.js';
import { type BotDefaultsRequest, decideBotDefaults } from '../bot-defaults.js';
import { type BotServiceRequest, decideBotService, noService } from '../bot-service.js';
import { botAddress } from '../bot-address.js';
import { Credentials } from '../credentials.js';
import type { ActingAt } from '../decisions.js';
import { emailAddressOf } from '../email-address.js';
import { EmailLookup } from '../email-lookup.js';
import type { UserEvent } from '../../../events/users.js';
import { fullNameOf } from '../full-name.js';
import { roles } from '../../../access/records/roles.js';
import { assertBotNameIsFree } from '../unique-names.js';
import { noBotDefaults } from '../../../access/records/user.js';
import { actingUser, assertMayOwnAnotherBot, type UserDirectory } from '../user-directory.js';

/** Makes a bot (facts, section 5, POST bots). Answers its id and its key. */
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

/** A bot that was made. */
export interface CreatedBot {
  readonly userId: number;
  readonly apiKey: string;
}

/** What a new bot is made of, as it was sent. */
export interface NewBot {
  readonly email: string;
  readonly emailDigest: string;
  readonly fullName: string;
  /** 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
  readonly type: number;
  readonly defaults: BotDefaultsRequest;
  /** Absent: nowhere. */
  readonly service?: BotServiceRequest;
}

/**
 * A bot belongs to whoever makes it.
 *
 * @throws ApplicationError `invalidBotType`, `insufficientPermission`, `tooManyBots`, `botNameTaken`, `emailTaken`, or those
 * of {@link fullNameOf}, {@link emailAddressOf}, {@link decideBotDefaults} and {@link decideBotService}
 */
export function decideCreateBot(
  state: UserDirectory,
  { type, emailDigest, defaults: request, service = noService, ...sent }: NewBot,
  { actorId, moment }: ActingAt,
): readonly UserEvent[] {
  // Embedded bots would be programs of the server's own: there are none.
  const isKnown = type !== botTypes.embedded && Object.values<number>(botTypes).includes(type);
  if (!isKnown) throw failure('invalidBotType');
  const actor = actingUser(state, actorId);
  if (!mayCreateBot(moment, actor, type)) throw failure('insufficientPermission');
  assertMayOwnAnotherBot(state, actorId);
  const fullName = fullNameOf(sent.fullName);
  const email = emailAddressOf(sent.email);
  assertBotNameIsFree(state, fullName, null);
  if (state.idsByEmailDigest.has(emailDigest)) throw failure('emailTaken');
  const bot = { type, ownerId: actorId, isSystem: false };
  const userId = idAtRevision(state.nextRevision);
  return [
    {
      type: 'UserRegistered',
      data: { userId, email, emailDigest, fullName, role: roles.member, bot, awaitsFirstLogin: false },
    },
    ...decideBotDefaults(moment, { actor, userId, before: noBotDefaults, request }),
    ...decideBotService({ type }, userId, service),
  ];
}

@CommandHandler(CreateBot)
export class CreateBotHandler implements ICommandHandler<CreateBot> {
  constructor(
    private readonly accounts: Accounts,
    private readonly emails: EmailLookup,
    private readonly credentials: Credentials,
    private readonly address: PublicAddress,
    private readonly records: SecurityRecords,
  ) {}

  /** Were it cut off before it issued the key, the owner would renew the key of the bot that they have. */
  async execute({ caller, request: { shortName, ...request } }: CreateBot): Promise<CreatedBot> {
    const email = botAddress(shortName, this.address);
    const bot = { ...request, email, emailDigest: this.emails.digest(email) };
    const created = await this.accounts.decideThen(
      caller,
      (state, by) => decideCreateBot(state, bot, by),
      (events) => this.issueKey(events),
    );
    const issued = { ...created, reason: 'bot-created' } as const;
    await this.records.keyIssued(issued, originOfCaller(caller), caller.userId);
    return created;
  }

  /** Clients of the owner and of administrators are told of the bot with its key. */
  private async issueKey([registered]: readonly UserEvent[]): Promise<CreatedBot> {
    if (registered?.type !== 'UserRegistered') throw new Error('A registration always appends');
    const { userId, bot } = registered.data;
    return { userId, apiKey: (await this.credentials.issueKey({ id: userId, bot }, null)).key };
  }
}
