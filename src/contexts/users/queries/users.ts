import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { KnownAccounts } from '../known-accounts.js';
import { KnownPeople } from '../known-people.js';
import { userObject, type UserFormat } from '../views/user-object.js';
import type { UserObject } from '../users.replies.js';
import { failure } from '../../../kernel/errors.js';
import { ModuleRef } from '@nestjs/core';
import { LastMessage } from '../last-message.js';
import { unknownUserAvatar } from '../../../http/static-images.js';
import { mediumAvatarUrl, shownAvatarUrl } from '../avatar.js';

/** Lists people and bots that the caller may know, deactivated ones too (facts, section 5, GET users). */
export class GetUsers extends Query<readonly UserObject[]> {
  constructor(
    readonly caller: Caller,
    /** Null: everyone. */
    readonly userIds: readonly number[] | null,
    readonly format: UserFormat,
  ) {
    super();
  }
}

@QueryHandler(GetUsers)
export class GetUsersHandler implements IQueryHandler<GetUsers> {
  constructor(
    private readonly decisions: Decisions,
    private readonly people: KnownPeople,
  ) {}

  async execute({ caller, userIds, format }: GetUsers): Promise<readonly UserObject[]> {
    const snapshot = this.decisions.snapshot();
    const { directory } = snapshot;
    const view = { ...format, directory, viewer: this.decisions.actor(caller).user };
    const knows = await this.people.to(view.viewer, snapshot);
    const users = userIds === null ? directory.users() : userIds.flatMap((id) => directory.user(id) ?? []);
    return [...new Set(users)]
      .filter((user) => user.bot?.isSystem !== true && knows(user))
      .map((user) => userObject(user, view));
  }
}

/** Looks up a person or a bot, the server's own included. */
export class GetUser extends Query<UserObject> {
  constructor(
    readonly caller: Pick<Caller, 'userId'>,
    /** An id or an e-mail address. */
    readonly whom: number | string,
    readonly format: UserFormat,
  ) {
    super();
  }
}

@QueryHandler(GetUser)
export class GetUserHandler implements IQueryHandler<GetUser> {
  constructor(private readonly accounts: KnownAccounts) {}

  /** @throws ApplicationError `noSuchUser`, also for whom the caller may not know */
  async execute({ caller, whom, format }: GetUser): Promise<UserObject> {
    const { user, viewer, directory } = await this.accounts.find(caller, whom);
    if (user === null) throw failure('noSuchUser');
    return userObject(user, { ...format, directory, viewer });
  }
}

/** The caller's own account (specification, "Own user"). */
export type OwnUser = Omit<UserObject, 'bot_type' | 'bot_owner_id'> &
  Partial<Pick<UserObject, 'bot_type' | 'bot_owner_id'>> & { readonly max_message_id: number };

/** Reads the caller's own account (specification, GET /users/me). */
export class GetOwnUser extends Query<OwnUser> {
  constructor(readonly caller: Caller) {
    super();
  }
}

@QueryHandler(GetOwnUser)
export class GetOwnUserHandler implements IQueryHandler<GetOwnUser> {
  constructor(
    private readonly decisions: Decisions,
    private readonly modules: ModuleRef,
  ) {}

  async execute({ caller }: GetOwnUser): Promise<OwnUser> {
    const user = this.decisions.actor(caller).user;
    const { bot_type, bot_owner_id, ...object } = userObject(user, {
      viewer: user,
      directory: this.decisions.snapshot().directory,
      clientGravatar: false,
      includeProfile: true,
    });
    // Messages know people, not the other way round: so they are asked for when they are needed.
    const messages = this.modules.get(LastMessage, { strict: false });
    return {
      ...object,
      ...(user.bot === null ? {} : { bot_type, bot_owner_id }),
      max_message_id: await messages.lastReceivedMessageId(user.id),
    };
  }
}

/** Where the picture of an account is, for clients that know nothing of the account but its id or address. */
export class GetAvatarAddress extends Query<string> {
  constructor(
    readonly caller: Pick<Caller, 'userId'>,
    /** An id or an e-mail address. */
    readonly whom: number | string,
    /** Whether there is more room for it. */
    readonly isMedium: boolean,
  ) {
    super();
  }
}

@QueryHandler(GetAvatarAddress)
export class GetAvatarAddressHandler implements IQueryHandler<GetAvatarAddress> {
  constructor(private readonly accounts: KnownAccounts) {}

  /** Of nobody, and of whom the caller may not know, that of whom nobody knows. */
  async execute({ caller, whom, isMedium }: GetAvatarAddress): Promise<string> {
    const { user, directory } = await this.accounts.find(caller, whom);
    if (user === null) return unknownUserAvatar;
    return (isMedium ? mediumAvatarUrl : shownAvatarUrl)(directory, user);
  }
}
