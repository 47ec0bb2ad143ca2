import type { EventOf, RecordedEvent } from '../../kernel/event.js';
import { unreachable } from '../../kernel/json.js';
import { UserRegistered, type Role, type UserEvent } from '../../events/users.js';
import { BotServiceChanged } from '../../events/bots.js';

/** An account's picture, and its name in the file store. */
interface Avatar {
  readonly storageName: string;
  readonly contentKey: string;
  /** The last segment of its URL. */
  readonly fileName: string;
  /** Bytes. */
  readonly size: number;
}

/** Defaults of a bot for what its requests do not specify. */
export interface BotDefaults {
  readonly sendingChannelId: number | null;
  readonly registeringChannelId: number | null;
  readonly allPublicChannels: boolean;
}

export const noBotDefaults: BotDefaults = {
  sendingChannelId: null,
  registeringChannelId: null,
  allPublicChannels: false,
};

/** Where requests of an outgoing webhook bot are sent. */
export type BotService = Omit<EventOf<typeof BotServiceChanged>['data'], 'userId'>;

/** The part of an account that only bots have. */
export interface BotAccount {
  /** The `bot_type` of the API. */
  readonly type: number;
  /** Null: one of the server's own bots. */
  readonly ownerId: number | null;
  readonly isSystem: boolean;
  /** Absent: {@link noBotDefaults}. */
  readonly defaults?: BotDefaults;
  /** Absent: none was configured. */
  readonly service?: BotService;
}

/** An account: a person, a bot or one of the server's own bots. */
export interface User {
  readonly id: number;
  readonly email: string;
  readonly emailDigest: string;
  readonly fullName: string;
  readonly role: Role;
  /** Null for people. */
  readonly bot: BotAccount | null;
  readonly isActive: boolean;
  /** The account's key was destroyed, so nobody can find out who it was. */
  readonly isErased?: true;
  /** The profile was deleted: see {@link UserDeletionRequested}. */
  readonly isDeleted?: true;
  readonly awaitsFirstLogin: boolean;
  /**
   * Milliseconds since the UNIX epoch: when the account was created, or first used by the person for whom
   * somebody else created it.
   */
  readonly joinedAt: number;
  /**
   * When the address and the password were last changed, in milliseconds since the UNIX epoch: older links
   * are invalid. Null: never.
   */
  readonly emailChangedAt: number | null;
  readonly passwordChangedAt: number | null;
  /** Null: derived from the address. */
  readonly avatar: Avatar | null;
  /** From 1; rises with every change of the picture, so that clients fetch it again. */
  readonly avatarVersion: number;
}

/** Defaults for what a bot's requests do not specify; other accounts have none. */
export function defaultsOf({ bot }: User): BotDefaults {
  return bot?.defaults ?? noBotDefaults;
}

/** Applies an event of the stream `users` to its account; null before that was registered. */
export function evolveUser(user: User | null, event: RecordedEvent<UserEvent>): User | null {
  if (event.type === 'UserRegistered') {
    const { userId: id, ...facts } = event.data;
    return {
      id,
      ...facts,
      isActive: true,
      ...(event.erased && { isErased: true as const }),
      joinedAt: event.metadata.at,
      emailChangedAt: null,
      passwordChangedAt: null,
      avatar: null,
      avatarVersion: 1,
    };
  }
  return user === null ? null : evolveExisting(user, event);
}

/** What remains of an account whose key was destroyed: the same as folding its events without that key. */
export function erasedUser(user: User): User {
  const { service } = user.bot ?? {};
  const bot =
    user.bot === null || service === undefined
      ? user.bot
      : { ...user.bot, service: { ...service, ...BotServiceChanged.erasable?.placeholder } };
  return { ...user, ...UserRegistered.erasable?.placeholder, bot, isErased: true };
}

function evolveExisting(
  user: User,
  event: Exclude<RecordedEvent<UserEvent>, { type: 'UserRegistered' }>,
): User {
  switch (event.type) {
    case 'ApiKeyRegenerated':
    case 'ApiKeyRevoked':
    case 'ProfileDataChanged':
      return user;
    case 'UserFirstLoggedIn':
      return { ...user, awaitsFirstLogin: false, joinedAt: event.metadata.at };
    case 'BotOwnerChanged':
      return { ...user, bot: user.bot && { ...user.bot, ownerId: event.data.ownerId } };
    case 'BotDefaultsChanged': {
      const { userId: _id, ...defaults } = event.data;
      return { ...user, bot: user.bot && { ...user.bot, defaults } };
    }
    case 'BotServiceChanged': {
      const { userId: _id, ...service } = event.data;
      return { ...user, bot: user.bot && { ...user.bot, service } };
    }
    case 'UserRenamed':
      return { ...user, fullName: event.data.fullName };
    case 'UserEmailChanged': {
      const { email, emailDigest } = event.data;
      return { ...user, email, emailDigest, emailChangedAt: event.metadata.at };
    }
    case 'UserAvatarChanged': {
      const { storageName, contentKey, fileName, size } = event.data;
      const avatar = { storageName, contentKey, fileName, size };
      return { ...user, avatar, avatarVersion: user.avatarVersion + 1 };
    }
    case 'UserAvatarRemoved':
      return { ...user, avatar: null, avatarVersion: user.avatarVersion + 1 };
    case 'UserPasswordChanged':
      return { ...user, passwordChangedAt: event.metadata.at };
    case 'UserRoleChanged':
      return { ...user, role: event.data.role };
    case 'UserDeactivated':
      return { ...user, isActive: false };
    case 'UserDeletionRequested':
      return event.data.profile ? { ...user, isDeleted: true } : user;
    case 'UserDeactivationNoticeRequested':
      return user;
    case 'UserReactivated':
      return { ...user, isActive: true };
    default:
      return unreachable(event);
  }
}
