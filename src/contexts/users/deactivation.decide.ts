import { isLongerThan } from '../../kernel/text.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import type { Actor } from '../../access/actor.js';
import type { EventOf } from '../../kernel/event.js';
import type { UserDeletionRequested, UserEvent } from '../../events/users.js';
import { botsAbove, keysRenewed } from './known-keys.js';
import { isAdministrator, isOwner, roles } from '../../access/records/roles.js';
import {
  activeBotsOf,
  botsOf,
  actingUser,
  changeableUser,
  isLastOwner,
  type UserDirectory,
} from './users.state.js';
import type { User } from '../../access/records/user.js';
import { mayReactivate } from '../../access/people-permissions.js';
import { assertBotNameIsFree } from './unique-names.js';

/** What is deleted of somebody who is deactivated. */
export type Deletions = Omit<EventOf<typeof UserDeletionRequested>['data'], 'userId'>;

/** What else follows from a deactivation. */
export interface Consequences {
  /** What is to be deleted of the person, and of their bots. */
  readonly deletions?: Deletions;
  /** What the person is told by e-mail; empty: only that they are deactivated. Null: they are not written to. */
  readonly comment?: string | null;
}

const nothing: Deletions = {
  profile: false,
  publicChannelMessages: false,
  privateChannelMessages: false,
  directMessages: false,
};

/**
 * Administrators deactivate people, owners also owners, everyone themselves; the bots of a person go with them. Bots of others
 * that are more than members, and whose keys the person could read, get new ones.
 *
 * @throws ApplicationError `noSuchUser` (a bot is no user here), `insufficientPermission`, `alreadyDeactivated`,
 * `ownerRequired`, `cannotDeactivateLastUser`, `deactivationCommentTooLong`
 */
export function decideDeactivateUser(
  state: UserDirectory,
  { userId, deletions = nothing, comment = null }: Consequences & { readonly userId: number },
  { user: { id: actorId } }: Pick<Actor, 'user'>,
): readonly UserEvent[] {
  const actor = actingUser(state, actorId);
  const user = changeableUser(state, userId);
  const isSelf = userId === actorId;
  if (user.bot !== null && !isSelf) throw failure('noSuchUser');
  if (!isSelf && !isAdministrator(actor)) throw failure('insufficientPermission');
  if (!user.isActive) throw failure('alreadyDeactivated');
  if (isOwner(user) && !isOwner(actor)) throw failure('ownerRequired');
  if (isLastOwner(state, user)) {
    throw failure('cannotDeactivateLastUser', { is_last_owner: true, entity: 'organization owner' });
  }
  if (comment !== null && isLongerThan(comment, budgets.deactivationComment.max)) {
    throw failure('deactivationCommentTooLong');
  }
  const leaving = [user, ...activeBotsOf(state, userId)];
  const leavingIds = leaving.map(({ id }) => id);
  const renewed = botsAbove(state, user, roles.member).filter((id) => !leavingIds.includes(id));
  return [
    ...leaving.map(deactivated),
    ...keysRenewed(renewed),
    ...[...botsOf(state, userId), user].flatMap((account) => deletionsOf(account, deletions)),
    ...noticeOf(user, comment),
  ];
}

function noticeOf({ id: userId, bot }: User, comment: string | null): readonly UserEvent[] {
  if (comment === null || bot !== null) return [];
  return [{ type: 'UserDeactivationNoticeRequested', data: { userId, comment } }];
}

/** What is left of a profile is a name that many may have. */
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
 * Administrators reactivate people and bots, and people their own bots; that an owner comes back is for owners to say. A bot whose
 * owner is gone falls to whoever brings it back. A bot comes back with a new key; people log in for one. An active account
 * stays as it is.
 *
 * @throws ApplicationError `noSuchUser`, `insufficientPermission`, `ownerRequired`, `botNameTaken`
 */
export function decideReactivateUser(
  state: UserDirectory,
  { userId }: { readonly userId: number },
  { user: { id: actorId }, snapshot }: Actor,
): readonly UserEvent[] {
  const user = changeableUser(state, userId);
  const actor = actingUser(state, actorId);
  if (isAdministrator(actor) && isOwner(user) && !isOwner(actor)) throw failure('ownerRequired');
  if (!mayReactivate(snapshot, actor, user)) throw failure('insufficientPermission');
  if (user.isActive) return [];
  if (user.bot !== null) assertBotNameIsFree(state, user.fullName, userId);
  const events: UserEvent[] = [{ type: 'UserReactivated', data: { userId } }];
  const ownerId = user.bot?.ownerId ?? null;
  if (ownerId !== null && state.users.get(ownerId)?.isActive !== true) {
    events.push({ type: 'BotOwnerChanged', data: { userId, ownerId: actorId } });
  }
  return user.bot === null ? events : [...events, ...keysRenewed([userId])];
}
