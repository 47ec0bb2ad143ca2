import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { StoredImage } from '../../../stores/file-store/image.js';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { Accounts } from '../accounts.js';
import type { ActingAt } from '../decisions.js';
import type { UserEvent } from '../../../events/users.js';
import { isAdministrator } from '../../../access/records/roles.js';
import { actingUser, type UserDirectory } from '../user-directory.js';
import type { User } from '../../../access/records/user.js';

/** Gives the caller another picture, or takes theirs away (null). */
export class ChangeAvatar extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly image: StoredImage | null,
  ) {
    super();
  }
}

/**
 * @returns no events when there is no picture to be taken away
 * @throws ApplicationError `avatarChangesDisabled` where the organization leaves pictures to administrators
 */
export function decideChangeAvatar(
  state: UserDirectory,
  image: StoredImage | null,
  { actorId: userId, moment }: ActingAt,
): readonly UserEvent[] {
  const user = actingUser(state, userId);
  const isDisabled = moment.directory.organization?.settings.avatar_changes_disabled === true;
  if (isDisabled && !isAdministrator(user)) throw failure('avatarChangesDisabled');
  const replacedName = user.avatar?.storageName ?? null;
  if (image === null) {
    return replacedName === null ? [] : [{ type: 'UserAvatarRemoved', data: { userId, replacedName } }];
  }
  return [avatarChanged(user, image)];
}

/** Gives an account another picture. */
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

@CommandHandler(ChangeAvatar)
export class ChangeAvatarHandler implements ICommandHandler<ChangeAvatar> {
  constructor(private readonly accounts: Accounts) {}

  async execute({ caller, image }: ChangeAvatar): Promise<void> {
    await this.accounts.decide(caller, (state, by) => decideChangeAvatar(state, image, by));
  }
}
