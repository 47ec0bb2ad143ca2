import type { Snapshot } from '../../access/snapshot.js';
import { assertAddressMayJoin } from '../../access/records/allowed-domains.js';
import { failure } from '../../kernel/errors.js';
import { emailAddressOf } from './email-address.js';
import { type UserEvent, roleSchema } from '../../events/users.js';
import { assertBotNameIsFree, assertNameIsFree, fullNameOf } from './names.js';
import { type UserDirectory, isLastOwner, activeActor } from './users.state.js';
import type { User } from '../../access/records/user.js';
import { botsToRenew, keysRenewed } from './bot-key-renewal.decide.js';
import { isAdministrator, isOwner, roles } from '../../access/records/roles.js';
import type { Actor } from '../../access/actor.js';
import type { StoredImage } from '../../stores/file-store/image.js';

/** The requested name of an account. */
interface NewName {
  readonly user: User;
  readonly sent: string;
  readonly snapshot: Snapshot;
}

/**
 * Renames an account; no events when the name does not change.
 *
 * @throws ApplicationError `nameTaken`, `botNameTaken`, or those of {@link fullNameOf}
 */
export function decideNewName(state: UserDirectory, { user, sent, snapshot }: NewName): readonly UserEvent[] {
  const { id: userId } = user;
  const fullName = fullNameOf(sent);
  if (fullName === user.fullName) return [];
  if (user.bot === null) assertNameIsFree(state, fullName, { userId, snapshot });
  else assertBotNameIsFree(state, fullName, userId);
  return [{ type: 'UserRenamed', data: { userId, fullName } }];
}

/** The requested address of an account, with its keyed digest. */
export interface NewEmail extends NewName {
  readonly emailDigest: string;
}

/**
 * Changes an account's address; no events when it does not change.
 *
 * @throws ApplicationError `emailTaken`, or those of {@link emailAddressOf} and {@link assertAddressMayJoin}
 */
export function decideNewEmail(
  state: UserDirectory,
  { user: { id: userId, email: previousEmail }, sent, emailDigest, snapshot }: NewEmail,
): readonly UserEvent[] {
  const email = emailAddressOf(sent);
  if (email === previousEmail) return [];
  const { organization } = snapshot.directory;
  if (organization !== null) assertAddressMayJoin(organization, email);
  if ((state.idsByEmailDigest.get(emailDigest) ?? userId) !== userId) throw failure('emailTaken');
  return [{ type: 'UserEmailChanged', data: { userId, email, emailDigest, previousEmail } }];
}

/** The requested role of an account, and the actor. */
interface RoleChange {
  readonly actor: User;
  readonly user: User;
  readonly role: number;
}

/**
 * Changes an account's role; no events when it does not change. Bots get new keys if somebody knows the old
 * ones who may not any more: see {@link botsToRenew}.
 *
 * @throws ApplicationError `insufficientPermission`, `ownerRequired`, `onlyOwnerKeepsRole`, `invalidRole`
 */
export function decideNewRole(state: UserDirectory, { actor, user, role }: RoleChange): readonly UserEvent[] {
  if (role === user.role) return [];
  if (!isAdministrator(actor)) throw failure('insufficientPermission');
  if ((isOwner(user) || role === roles.owner) && !isOwner(actor)) throw failure('ownerRequired');
  if (isLastOwner(state, user)) throw failure('onlyOwnerKeepsRole');
  const known = roleSchema.safeParse(role);
  if (!known.success) throw failure('invalidRole');
  return [
    { type: 'UserRoleChanged', data: { userId: user.id, role: known.data, previousRole: user.role } },
    ...keysRenewed(botsToRenew(state, user, known.data)),
  ];
}

/**
 * A person changes their own display name. If only administrators may change names, the request of anybody
 * else succeeds without effect.
 *
 * @throws ApplicationError those of {@link decideNewName}
 */
export function decideRenameSelf(
  state: UserDirectory,
  sent: string,
  { user: { id: actorId }, snapshot }: Actor,
): readonly UserEvent[] {
  const user = activeActor(state, actorId);
  const isDisabled = snapshot.directory.organization?.settings.name_changes_disabled === true;
  return isDisabled && !isAdministrator(user) ? [] : decideNewName(state, { user, sent, snapshot });
}

/**
 * @returns no events when there is no picture to remove
 * @throws ApplicationError `avatarChangesDisabled` if only administrators may change pictures
 */
export function decideChangeAvatar(
  state: UserDirectory,
  image: StoredImage | null,
  { user: { id: userId }, snapshot }: Actor,
): readonly UserEvent[] {
  const user = activeActor(state, userId);
  const isDisabled = snapshot.directory.organization?.settings.avatar_changes_disabled === true;
  if (isDisabled && !isAdministrator(user)) throw failure('avatarChangesDisabled');
  const replacedName = user.avatar?.storageName ?? null;
  if (image === null) {
    return replacedName === null ? [] : [{ type: 'UserAvatarRemoved', data: { userId, replacedName } }];
  }
  return [avatarChanged(user, image)];
}

/** The event of a new picture. */
export function avatarChanged(
  { id: userId, avatar }: Pick<User, 'id' | 'avatar'>,
  { stored: { name: storageName, contentKey, size }, fileName }: StoredImage,
): UserEvent {
  const replacedName = avatar?.storageName ?? null;
  return {
    type: 'UserAvatarChanged',
    data: { userId, storageName, contentKey, fileName, size, replacedName },
  };
}
