import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EmailLookup } from '../../../access/email-lookup.js';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { failure } from '../../../kernel/errors.js';
import type { StoredImage } from '../../../stores/file-store/image.js';
import { ownerKeyId } from '../../../stores/key-store/owner-keys.js';
import { Vault } from '../../../stores/key-store/vault.js';
import type { ProfileEntry } from '../../profiles/profile-data.decide.js';
import { Credentials } from '../credentials.js';
import {
  decideDeactivateOwnAccount,
  decideDeactivateUser,
  decideReactivateUser,
  type Consequences,
} from '../deactivation.decide.js';
import { decideChangeAvatar } from '../identity.decide.js';
import { KeyRenewals } from '../key-renewals.js';
import { PasswordPolicy } from '../password-policy.js';
import {
  decideChangeOwnProfile,
  decideCreateUser,
  decideUpdateUser,
  type UserChanges,
} from '../users.decide.js';
import { foldedUsers } from '../users.state.js';
import { KnownAccounts } from '../queries/users.js';

/** Sets or clears fields of the caller's own profile (`PATCH` and `DELETE /users/me/profile_data`). */
export class ChangeOwnProfile extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly entries: readonly ProfileEntry[],
  ) {
    super();
  }
}

@CommandHandler(ChangeOwnProfile)
export class ChangeOwnProfileHandler implements ICommandHandler<ChangeOwnProfile> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, entries }: ChangeOwnProfile): Promise<void> {
    await this.decisions.decide(caller, foldedUsers, (state, actor) =>
      decideChangeOwnProfile(state, entries, actor),
    );
  }
}

/** Creates an account for a person (`POST /users`). Returns its id. */
export class CreateUser extends Command<number> {
  constructor(
    readonly caller: Caller,
    readonly request: { readonly email: string; readonly password: string; readonly fullName: string },
  ) {
    super();
  }
}

@CommandHandler(CreateUser)
export class CreateUserHandler implements ICommandHandler<CreateUser> {
  constructor(
    private readonly decisions: Decisions,
    private readonly emails: EmailLookup,
    private readonly credentials: Credentials,
    private readonly policy: PasswordPolicy,
  ) {}

  async execute({ caller, request }: CreateUser): Promise<number> {
    const emailDigest = this.emails.digest(request.email);
    const unfinishedId = await this.unfinished(emailDigest, request.fullName);
    const person = { ...request, emailDigest, unfinishedId };
    const actor = this.decisions.actor(caller);
    // Checked first, so that a caller without permission, or with an invalid request, does not learn how
    // strong the password is. Decided again with the actor of that time, because the check of the password takes a
    // while.
    decideCreateUser(await this.decisions.load(foldedUsers), person, actor);
    await this.policy.assertAcceptable(request.password, request, `account ${caller.userId}`);
    const {
      events: [registered],
    } = await this.decisions.decide(caller, foldedUsers, (state, presentActor) =>
      decideCreateUser(state, person, presentActor),
    );
    const userId = registered?.data.userId ?? unfinishedId;
    if (userId === null) throw new Error('A registration always appends');
    // Of concurrent equal requests only one creates the account.
    if (!(await this.credentials.setFirstPassword(userId, request.password))) throw failure('emailTaken');
    return userId;
  }

  /**
   * The password is not in the log, so a crash may happen between the event and storing it. Repeating the
   * same request then completes the account, as long as nobody could have logged in to it.
   */
  private async unfinished(emailDigest: string, fullName: string): Promise<number | null> {
    const state = await this.decisions.load(foldedUsers);
    const user = state.users.get(state.idsByEmailDigest.get(emailDigest) ?? 0);
    if (user?.isActive !== true || !user.awaitsFirstLogin || user.fullName !== fullName.trim()) return null;
    return (await this.credentials.hasNone(user.id)) ? user.id : null;
  }
}

/** Changes a person or a bot (`PATCH /users/{user_id}`). */
export class UpdateUser extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly request: Pick<UserChanges, 'fullName' | 'role' | 'profile'> & {
      /** An id or an e-mail address. */
      readonly whom: number | string;
      readonly newEmail: string | null;
    },
  ) {
    super();
  }
}

@CommandHandler(UpdateUser)
export class UpdateUserHandler implements ICommandHandler<UpdateUser> {
  constructor(
    private readonly accounts: KnownAccounts,
    private readonly emails: EmailLookup,
    private readonly renewals: KeyRenewals,
  ) {}

  /** @throws ApplicationError those of {@link decideUpdateUser} */
  async execute({ caller, request: { whom, newEmail: email, ...request } }: UpdateUser): Promise<void> {
    const userId = typeof whom === 'number' ? whom : await this.idByEmail(caller, whom);
    const newEmail = email === null ? null : { sent: email, emailDigest: this.emails.digest(email) };
    const changes = { ...request, userId, newEmail };
    await this.renewals.decide(caller, (state, actor) => decideUpdateUser(state, changes, actor));
  }

  /** Addresses of people whom the caller may not know are refused like those of nobody, so that no guess is confirmed. */
  private async idByEmail(caller: Caller, email: string): Promise<number> {
    const { user } = await this.accounts.find(caller, email);
    if (user === null) throw failure('noSuchUser');
    return user.id;
  }
}

/** Deactivates a person and the bots that they own, and revokes all of their keys. */
export class DeactivateUser extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly userId: number,
    readonly consequences: Consequences = {},
  ) {
    super();
  }
}

@CommandHandler(DeactivateUser)
export class DeactivateUserHandler implements ICommandHandler<DeactivateUser> {
  constructor(private readonly renewals: KeyRenewals) {}

  async execute({ caller, userId, consequences }: DeactivateUser): Promise<void> {
    await this.renewals.decide(caller, (state, actor) =>
      decideDeactivateUser(state, { ...consequences, userId }, actor),
    );
  }
}

/** Deactivates the caller's own account and their bots, and revokes all of their keys. */
export class DeactivateOwnAccount extends Command<void> {
  constructor(readonly caller: Caller) {
    super();
  }
}

@CommandHandler(DeactivateOwnAccount)
export class DeactivateOwnAccountHandler implements ICommandHandler<DeactivateOwnAccount> {
  constructor(private readonly renewals: KeyRenewals) {}

  async execute({ caller }: DeactivateOwnAccount): Promise<void> {
    await this.renewals.decide(caller, (state, actor) => decideDeactivateOwnAccount(state, actor));
  }
}

/** Reactivates a person or a bot. */
export class ReactivateUser extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly userId: number,
  ) {
    super();
  }
}

@CommandHandler(ReactivateUser)
export class ReactivateUserHandler implements ICommandHandler<ReactivateUser> {
  constructor(
    private readonly renewals: KeyRenewals,
    private readonly vault: Vault,
  ) {}

  /** An interrupted deactivation may have left keys, which would work again: these are revoked first. */
  async execute({ caller, userId }: ReactivateUser): Promise<void> {
    // An erasure that is under way has destroyed the key before the log says so.
    const isErased = await this.vault.areDestroyed([ownerKeyId(userId)]);
    await this.renewals.decide(caller, (state, actor) =>
      decideReactivateUser(state, { userId, isErased }, actor),
    );
  }
}

/** Sets the caller's picture, or removes it (null). */
export class ChangeAvatar extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly image: StoredImage | null,
  ) {
    super();
  }
}

@CommandHandler(ChangeAvatar)
export class ChangeAvatarHandler implements ICommandHandler<ChangeAvatar> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, image }: ChangeAvatar): Promise<void> {
    await this.decisions.decide(caller, foldedUsers, (state, actor) =>
      decideChangeAvatar(state, image, actor),
    );
  }
}
