import {
  mayManageBot,
  maySeeBot,
  botTypes,
  mayCreateBot,
  mayHandOverBot,
} from '../../access/people-permissions.js';
import { failure } from '../../kernel/errors.js';
import type { Actor } from '../../access/actor.js';
import { isAdministrator, roles } from '../../access/records/roles.js';
import { activeActor, changeableUser, type UserDirectory, assertMayOwnAnotherBot } from './users.state.js';
import { type User, noBotDefaults, defaultsOf } from '../../access/records/user.js';
import { idAtRevision } from '../../kernel/ids.js';
import {
  type BotDefaultsRequest,
  decideBotDefaults,
  type BotServiceRequest,
  decideBotService,
  noService,
} from './bot-settings.decide.js';
import { emailAddressOf } from './email-address.js';
import type { UserEvent } from '../../events/users.js';
import { assertBotNameIsFree, fullNameOf } from './names.js';
import type { StoredImage } from '../../stores/file-store/image.js';
import { decideNewName, decideNewRole, avatarChanged } from './identity.decide.js';
import { keysRenewed } from './bot-key-renewal.decide.js';

/**
 * The bot, if the actor may change it.
 *
 * @throws ApplicationError `noSuchBot`, `insufficientPermission`, `ownerRequired` for an owner's bot
 */
export function manageableBot(state: UserDirectory, botId: number, actorId: number): User {
  const user = changeableUser(state, botId);
  if (user.bot === null) throw failure('noSuchBot');
  const actor = activeActor(state, actorId);
  if (!mayManageBot(actor, user)) {
    const lacksOwnership = maySeeBot(actor, user) && isAdministrator(actor);
    throw failure(lacksOwnership ? 'ownerRequired' : 'insufficientPermission');
  }
  return user;
}

/** The parameters of a new bot. */
export interface NewBot {
  readonly email: string;
  readonly emailDigest: string;
  readonly fullName: string;
  /** 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
  readonly type: number;
  readonly defaults: BotDefaultsRequest;
  /** Absent: it sends no requests. */
  readonly service?: BotServiceRequest;
}

/**
 * A bot belongs to the person who creates it.
 *
 * @throws ApplicationError `invalidBotType`, `insufficientPermission`, `tooManyBots`, `botNameTaken`,
 * `emailTaken`, or those of {@link fullNameOf}, {@link emailAddressOf}, {@link decideBotDefaults} and {@link
 * decideBotService}
 */
export function decideCreateBot(
  state: UserDirectory,
  { type, emailDigest, defaults: request, service = noService, ...sent }: NewBot,
  { user: { id: actorId }, snapshot }: Actor,
): readonly UserEvent[] {
  // Embedded bots would run in the server, which has none.
  const isKnown = type !== botTypes.embedded && Object.values<number>(botTypes).includes(type);
  if (!isKnown) throw failure('invalidBotType');
  const actor = activeActor(state, actorId);
  if (!mayCreateBot(snapshot, actor, type)) throw failure('insufficientPermission');
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
    ...decideBotDefaults(snapshot, { actor, userId, before: noBotDefaults, request }),
    ...decideBotService({ type }, userId, service),
  ];
}

/** The changes; null: no change. */
export interface BotChanges {
  readonly userId: number;
  readonly fullName: string | null;
  /** With its keyed digest. */
  readonly address: { readonly email: string; readonly emailDigest: string } | null;
  readonly image: StoredImage | null;
  readonly ownerId: number | null;
  readonly role: number | null;
  readonly defaults: BotDefaultsRequest;
  /** Absent: no change. */
  readonly service?: BotServiceRequest;
}

/**
 * Only administrators change a bot's role or owner. With a new owner it gets a new key, because the former
 * owner could use the old one with the new owner's access.
 *
 * @throws ApplicationError `noSuchBot`, `insufficientPermission`, `invalidBotOwner`, `tooManyBots`, or those
 * of {@link decideNewName}, {@link decideNewRole}, {@link decideBotDefaults} and {@link decideBotService}
 */
export function decideUpdateBot(
  state: UserDirectory,
  { userId, fullName, address, image, ownerId, role, defaults: request, service }: BotChanges,
  { user: { id: actorId }, snapshot }: Actor,
): readonly UserEvent[] {
  const bot = manageableBot(state, userId, actorId);
  const actor = activeActor(state, actorId);
  const events: UserEvent[] = [];
  if (fullName !== null) events.push(...decideNewName(state, { user: bot, sent: fullName, snapshot }));
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
    // A deactivated bot has no key until it is reactivated.
    if (bot.isActive && !isRenewed) events.push(...keysRenewed([userId]));
  }
  events.push(...decideBotDefaults(snapshot, { actor, userId, before: defaultsOf(bot), request }));
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

/**
 * @throws ApplicationError `noSuchBot`, `insufficientPermission`, `alreadyDeactivated`
 */
export function decideDeactivateBot(
  state: UserDirectory,
  { userId }: { readonly userId: number },
  { user: { id: actorId } }: Pick<Actor, 'user'>,
): readonly UserEvent[] {
  const bot = manageableBot(state, userId, actorId);
  if (!bot.isActive) throw failure('alreadyDeactivated');
  return [{ type: 'UserDeactivated', data: { userId } }];
}
