import { isLongerThan } from '../../kernel/text.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import type { Actor } from '../../access/actor.js';
import type { EventOf } from '../../kernel/event.js';
import type { UserDeletionRequested } from '../../events/deactivation.js';
import type { UserEvent } from '../../events/users.js';
import { botsAbove, keysRenewed } from './bot-key-renewal.decide.js';
import { isAdministrator, isOwner, roles } from '../../access/records/roles.js';
import {
  activeBotsOf,
  assertMayOwnAnotherBot,
  botsOf,
  activeActor,
  changeableUser,
  isLastOwner,
  type UserDirectory,
} from './users.state.js';
import type { User } from '../../access/records/user.js';
import { mayReactivate } from '../../access/people-permissions.js';
import { assertBotNameIsFree, assertNameIsFree } from './names.js';

/** What is deleted together with a deactivation. */
export type Deletions = Omit<EventOf<typeof UserDeletionRequested>['data'], 'userId'>;

/** Further effects of a deactivation. */
export interface Consequences {
  /** What is deleted of the person and of their bots. */
  readonly deletions?: Deletions;
  /** Comment in the e-mail to the person; empty: an e-mail without one. Null: no e-mail. */
  readonly comment?: string | null;
}

const nothing: Deletions = {
  profile: false,
  publicChannelMessages: false,
  privateChannelMessages: false,
  directMessages: false,
};

/**
 * Administrators may deactivate people, and owners also owners. Others deactivate only themselves, by
 * {@link decideDeactivateOwnAccount}.
 *
 * @throws ApplicationError `noSuchUser` (also for a bot), `insufficientPermission`, `alreadyDeactivated`,
 * `ownerRequired`, `onlyOwnerStays`, `deactivationCommentTooLong`
 */
export function decideDeactivateUser(
  state: UserDirectory,
  { userId, deletions = nothing, comment = null }: Consequences & { readonly userId: number },
  { user: { id: actorId } }: Pick<Actor, 'user'>,
): readonly UserEvent[] {
  const actor = activeActor(state, actorId);
  const user = changeableUser(state, userId);
  if (user.bot !== null) throw failure('noSuchUser');
  if (!isAdministrator(actor)) throw failure('insufficientPermission');
  if (!user.isActive) throw failure('alreadyDeactivated');
  if (isOwner(user) && !isOwner(actor)) throw failure('ownerRequired');
  if (isLastOwner(state, user)) throw failure('onlyOwnerStays');
  if (comment !== null && isLongerThan(comment, budgets.deactivationComment.max)) {
    throw failure('deactivationCommentTooLong');
  }
  return [...leaving(state, user, deletions), ...noticeOf(user, comment)];
}

/**
 * Everybody may deactivate their own account.
 *
 * @throws ApplicationError `noSuchUser` for the server's own bots, `cannotDeactivateLastUser`
 */
export function decideDeactivateOwnAccount(
  state: UserDirectory,
  { user: { id: userId } }: Pick<Actor, 'user'>,
): readonly UserEvent[] {
  activeActor(state, userId);
  const user = changeableUser(state, userId);
  if (isLastOwner(state, user)) {
    throw failure('cannotDeactivateLastUser', { is_last_owner: true, entity: 'organization owner' });
  }
  return leaving(state, user, nothing);
}

/**
 * An account leaves together with the bots of its person. Bots of others with a role above member whose keys
 * the person could read get new keys.
 */
function leaving(state: UserDirectory, user: User, deletions: Deletions): readonly UserEvent[] {
  const accounts = [user, ...activeBotsOf(state, user.id)];
  const leavingIds = accounts.map(({ id }) => id);
  const renewed = botsAbove(state, user, roles.member).filter((id) => !leavingIds.includes(id));
  return [
    ...accounts.map(deactivated),
    ...keysRenewed(renewed),
    ...[...botsOf(state, user.id), user].flatMap((account) => deletionsOf(account, deletions)),
  ];
}

function noticeOf({ id: userId, bot }: User, comment: string | null): readonly UserEvent[] {
  if (comment === null || bot !== null) return [];
  return [{ type: 'UserDeactivationNoticeRequested', data: { userId, comment } }];
}

/** A deleted profile keeps a placeholder name that many accounts may have. */
function deletionsOf({ id: userId, fullName, avatar }: User, deletions: Deletions): readonly UserEvent[] {
  if (!Object.values(deletions).includes(true)) return [];
  const requested: UserEvent = { type: 'UserDeletionRequested', data: { userId, ...deletions } };
  if (!deletions.profile) return [requested];
  const name = 'Deleted user';
  const replacedName = avatar?.storageName;
  return [
    requested,
    ...(fullName === name ? [] : [{ type: 'UserRenamed', data: { userId, fullName: name } } as const]),
    ...(replacedName === undefined
      ? []
      : [{ type: 'UserAvatarRemoved', data: { userId, replacedName } } as const]),
  ];
}

function deactivated({ id: userId }: User): UserEvent {
  return { type: 'UserDeactivated', data: { userId } };
}

/**
 * Administrators may reactivate people and bots, and people their own bots; only owners reactivate an owner.
 * A bot whose owner is deactivated gets the actor as its owner. A bot gets a new key; people get one when
 * they log in. An active account does not change.
 *
 * @param isErased whether the account's key was destroyed: nobody can be told who it was
 * @throws ApplicationError `noSuchUser`, `insufficientPermission`, `ownerRequired`, `alreadyErased`, `deletedForGood` for a deleted profile, `nameTaken`, `botNameTaken`, and
 * `invalidBotOwner` and `tooManyBots` if the actor would become the owner of the bot
 */
export function decideReactivateUser(
  state: UserDirectory,
  { userId, isErased }: { readonly userId: number; readonly isErased: boolean },
  { user: { id: actorId }, snapshot }: Actor,
): readonly UserEvent[] {
  const user = changeableUser(state, userId);
  const actor = activeActor(state, actorId);
  if (isAdministrator(actor) && isOwner(user) && !isOwner(actor)) throw failure('ownerRequired');
  if (!mayReactivate(snapshot, actor, user)) throw failure('insufficientPermission');
  if (user.isActive) return [];
  if (isErased) throw failure('alreadyErased');
  if (user.isDeleted === true) throw failure('deletedForGood');
  if (user.bot === null) assertNameIsFree(state, user.fullName, { userId, snapshot });
  else assertBotNameIsFree(state, user.fullName, userId);
  const events: UserEvent[] = [{ type: 'UserReactivated', data: { userId } }];
  const ownerId = user.bot?.ownerId ?? null;
  if (ownerId !== null && state.users.get(ownerId)?.isActive !== true) {
    if (actor.bot !== null) throw failure('invalidBotOwner');
    assertMayOwnAnotherBot(state, actorId);
    events.push({ type: 'BotOwnerChanged', data: { userId, ownerId: actorId } });
  }
  return user.bot === null ? events : [...events, ...keysRenewed([userId])];
}
