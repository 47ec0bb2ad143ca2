import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { mayHandOverBot } from '../../../access/people-permissions.js';
import type { StoredImage } from '../../../stores/file-store/image.js';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { PublicAddress } from '../../organization/public-address.js';
import { type BotServiceRequest, decideBotService, noService } from '../bot-service.js';
import { botAddress } from '../bot-address.js';
import { type BotDefaultsRequest, decideBotDefaults } from '../bot-defaults.js';
import type { ActingAt } from '../decisions.js';
import { emailAddressOf } from '../email-address.js';
import { EmailLookup } from '../email-lookup.js';
import type { UserEvent } from '../../../events/users.js';
import { decideNewName } from '../identity-changes.js';
import { KeyRenewals } from '../key-renewals.js';
import { keysRenewed } from '../known-keys.js';
import { manageableBot } from '../manageable-bot.js';
import { decideNewRole } from '../role-change.js';
import { actingUser, assertMayOwnAnotherBot, type UserDirectory } from '../user-directory.js';
import { type User, defaultsOf } from '../../../access/records/user.js';
import { avatarChanged } from './change-avatar.js';

/** Changes a bot (facts, section 5, PATCH bots). */
export class UpdateBot extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly changes: Omit<BotChanges, 'address'> & {
      /** What its address is to begin with. */
      readonly shortName: string | null;
    },
  ) {
    super();
  }
}

/** What is to be changed; null: left as it is. */
export interface BotChanges {
  readonly userId: number;
  readonly fullName: string | null;
  /** With its keyed digest. */
  readonly address: { readonly email: string; readonly emailDigest: string } | null;
  readonly image: StoredImage | null;
  readonly ownerId: number | null;
  readonly role: number | null;
  readonly defaults: BotDefaultsRequest;
  /** Absent: left as it is. */
  readonly service?: BotServiceRequest;
}

/**
 * Only administrators give a bot another role, or to another person. Whoever gets it gets it with a new key: with the old one
 * the former owner would go on acting through it, with the new owner's access.
 *
 * @throws ApplicationError `noSuchBot`, `insufficientPermission`, `invalidBotOwner`, `tooManyBots`, or those of {@link decideNewName},
 * {@link decideNewRole}, {@link decideBotDefaults} and {@link decideBotService}
 */
export function decideUpdateBot(
  state: UserDirectory,
  { userId, fullName, address, image, ownerId, role, defaults: request, service }: BotChanges,
  { actorId, moment }: ActingAt,
): readonly UserEvent[] {
  const bot = manageableBot(state, userId, { actorId });
  const actor = actingUser(state, actorId);
  const events: UserEvent[] = [];
  if (fullName !== null) events.push(...decideNewName(state, { user: bot, sent: fullName, moment }));
  if (address !== null) events.push(...decideNewBotAddress(state, bot, address));
  if (image !== null) events.push(avatarChanged(bot, image));
  if (role !== null) events.push(...decideNewRole(state, { actor, user: bot, role }));
  if (ownerId !== null && ownerId !== bot.bot?.ownerId) {
    if (!mayHandOverBot(actor)) throw failure('insufficientPermission');
    const owner = state.users.get(ownerId);
    if (owner?.isActive !== true || owner.bot !== null) throw failure('invalidBotOwner');
    assertMayOwnAnotherBot(state, ownerId);
    events.push({ type: 'BotOwnerChanged', data: { userId, ownerId } });
    const isRenewed = events.some(({ type, data }) => type === 'ApiKeyRegenerated' && data.userId === userId);
    // A deactivated bot has no key until it comes back.
    if (bot.isActive && !isRenewed) events.push(...keysRenewed([userId]));
  }
  events.push(...decideBotDefaults(moment, { actor, userId, before: defaultsOf(bot), request }));
  if (bot.bot !== null) events.push(...decideBotService(bot.bot, userId, service ?? noService));
  return events;
}

/** @throws ApplicationError `emailTaken`, or those of {@link emailAddressOf} */
function decideNewBotAddress(
  state: UserDirectory,
  { id: userId, email: previousEmail }: User,
  { email: sent, emailDigest }: NonNullable<BotChanges['address']>,
): readonly UserEvent[] {
  const email = emailAddressOf(sent);
  if (email === previousEmail) return [];
  if ((state.idsByEmailDigest.get(emailDigest) ?? userId) !== userId) throw failure('emailTaken');
  return [{ type: 'UserEmailChanged', data: { userId, email, emailDigest, previousEmail } }];
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
    await this.renewals.decide(caller, (state, by) => decideUpdateBot(state, { ...changes, address }, by));
  }
}
