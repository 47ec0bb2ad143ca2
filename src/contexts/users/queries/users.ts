import type { IQueryHandler } from '@nestjs/cqrs';
import type { Directory } from '../../../access/directory.js';
import { EmailLookup } from '../../../access/email-lookup.js';
import { KnownPeople } from '../../../access/known-people.js';
import type { User } from '../../../access/records/user.js';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { UNKNOWN_USER_AVATAR } from '../../../http/static-images.js';
import { failure } from '../../../kernel/errors.js';
import { mediumAvatarUrl, shownAvatarUrl } from '../avatar.js';
import { Injectable, Query, QueryHandler } from '../../../runtime/nest-decorators.js';
import type { UserObject } from '../users.replies.js';
import { userObject, type UserFormat } from '../users.view.js';

/** An account that somebody asks for, as far as they may know it. */
interface KnownAccount {
  /** Null: it does not exist, or the caller may not know it. */
  readonly user: User | null;
  readonly viewer: User;
  readonly directory: Directory;
}

/** Finds accounts, the server's own included, as far as the caller may know them. */
@Injectable()
export class KnownAccounts {
  constructor(
    private readonly decisions: Decisions,
    private readonly emails: EmailLookup,
    private readonly people: KnownPeople,
  ) {}

  /**
   * @param whom an id or an e-mail address
   * @throws ApplicationError `accountDeactivated` when the caller's account is gone
   */
  async find(caller: Pick<Caller, 'userId'>, whom: number | string): Promise<KnownAccount> {
    const snapshot = this.decisions.snapshot();
    const { directory } = snapshot;
    const viewer = this.decisions.actor(caller).user;
    const user = this.emails.findByIdOrEmail(viewer, directory, whom);
    const knows = await this.people.predicateFor(viewer, snapshot);
    return { user: user !== null && knows(user) ? user : null, viewer, directory };
  }
}

/** Lists people and bots that the caller may know, deactivated ones included (`GET /users`). */
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
    const knows = await this.people.predicateFor(view.viewer, snapshot);
    const users = userIds === null ? directory.users() : userIds.flatMap((id) => directory.user(id) ?? []);
    return [...new Set(users)]
      .filter((user) => user.bot?.isSystem !== true && knows(user))
      .map((user) => userObject(user, view));
  }
}

/** Finds a person or a bot, the server's own included. */
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

  /** @throws ApplicationError `noSuchUser`, also for accounts that the caller may not know */
  async execute({ caller, whom, format }: GetUser): Promise<UserObject> {
    const { user, viewer, directory } = await this.accounts.find(caller, whom);
    if (user === null) throw failure('noSuchUser');
    return userObject(user, { ...format, directory, viewer });
  }
}

/** Looks up the last message of a person; implemented by the messages context. */
export abstract class LastMessage {
  /** Id of the last message that the person received; -1 when there is none. */
  abstract lastReceivedMessageId(userId: number): Promise<number>;
}

/** The caller's own account. */
type OwnUser = Omit<UserObject, 'bot_type' | 'bot_owner_id'> &
  Partial<Pick<UserObject, 'bot_type' | 'bot_owner_id'>> & { readonly max_message_id: number };

/** Reads the caller's own account (`GET /users/me`). */
export class GetOwnUser extends Query<OwnUser> {
  constructor(readonly caller: Caller) {
    super();
  }
}

@QueryHandler(GetOwnUser)
export class GetOwnUserHandler implements IQueryHandler<GetOwnUser> {
  constructor(
    private readonly decisions: Decisions,
    private readonly messages: LastMessage,
  ) {}

  async execute({ caller }: GetOwnUser): Promise<OwnUser> {
    const user = this.decisions.actor(caller).user;
    const { bot_type, bot_owner_id, ...object } = userObject(user, {
      viewer: user,
      directory: this.decisions.snapshot().directory,
      clientGravatar: false,
      includeProfile: true,
    });
    return {
      ...object,
      ...(user.bot === null ? {} : { bot_type, bot_owner_id }),
      max_message_id: await this.messages.lastReceivedMessageId(user.id),
    };
  }
}

/** The URL of an account's picture, for clients that know only the account's id or address. */
export class GetAvatarAddress extends Query<string> {
  constructor(
    readonly caller: Pick<Caller, 'userId'>,
    /** An id or an e-mail address. */
    readonly whom: number | string,
    /** Whether a larger picture is wanted. */
    readonly isMedium: boolean,
  ) {
    super();
  }
}

@QueryHandler(GetAvatarAddress)
export class GetAvatarAddressHandler implements IQueryHandler<GetAvatarAddress> {
  constructor(private readonly accounts: KnownAccounts) {}

  /** For accounts that do not exist or that the caller may not know, it is the picture of unknown people. */
  async execute({ caller, whom, isMedium }: GetAvatarAddress): Promise<string> {
    const { user, directory } = await this.accounts.find(caller, whom);
    if (user === null) return UNKNOWN_USER_AVATAR;
    return (isMedium ? mediumAvatarUrl : shownAvatarUrl)(directory, user);
  }
}
