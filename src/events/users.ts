import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';
import { ProfileDataChanged } from './profile-fields.js';
import { BotOwnerChanged, BotDefaultsChanged, BotServiceChanged } from './bots.js';
import {
  UserDeactivated,
  UserDeactivationNoticeRequested,
  UserDeletionRequested,
  UserReactivated,
} from './deactivation.js';

/** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. */
export const roleSchema = z.union([
  z.literal(100),
  z.literal(200),
  z.literal(300),
  z.literal(400),
  z.literal(600),
]);

export type Role = z.infer<typeof roleSchema>;

const userId = z.number().int().positive();

/** Stream `users`. The id is the revision of this event plus one. */
export const UserRegistered = defineEvent({
  type: 'UserRegistered',
  description: 'An account was created for a person or a bot.',
  schema: z.strictObject({
    userId,
    /** Keyed digest of the address, by which look-ups and uniqueness work. */
    emailDigest: z.string(),
    email: z.string(),
    fullName: z.string(),
    role: roleSchema,
    /** Null for people. System bots have no owner and cannot log in. */
    bot: z
      .strictObject({
        type: z.number().int().min(1).max(4),
        ownerId: userId.nullable(),
        isSystem: z.boolean(),
      })
      .nullable(),
    /** Created for a person by somebody else: the person joins with their first log-in. */
    awaitsFirstLogin: z.boolean(),
  }),
  erasable: {
    fields: ['email', 'fullName'],
    owner: (data) => data.userId,
    placeholder: { email: '', fullName: 'Deleted user' },
  },
  example: {
    userId: 3,
    emailDigest: '9f2c',
    email: 'ada@example.com',
    fullName: 'Ada Quill',
    role: 400,
    bot: null,
    awaitsFirstLogin: true,
  },
});

/** Stream `users`. */
export const UserFirstLoggedIn = defineEvent({
  type: 'UserFirstLoggedIn',
  description: 'A person logged in for the first time to an account that somebody else had created for them.',
  schema: z.strictObject({ userId }),
  example: { userId: 3 },
});

/** Stream `users`. */
export const UserRenamed = defineEvent({
  type: 'UserRenamed',
  description: 'The display name of a person or a bot was changed.',
  schema: z.strictObject({ userId, fullName: z.string() }),
  erasable: { fields: ['fullName'], owner: (data) => data.userId, placeholder: { fullName: 'Deleted user' } },
  example: { userId: 3, fullName: 'Ada Quill-Byron' },
});

/** Stream `users`. */
export const UserEmailChanged = defineEvent({
  type: 'UserEmailChanged',
  description: 'The e-mail address of an account was changed: the person confirmed it, or an owner set it.',
  schema: z.strictObject({
    userId,
    /** Keyed digest of the address. */
    emailDigest: z.string(),
    email: z.string(),
    /** The previous address, whose readers are notified. */
    previousEmail: z.string(),
  }),
  erasable: {
    fields: ['email', 'previousEmail'],
    owner: (data) => data.userId,
    placeholder: { email: '', previousEmail: '' },
  },
  example: {
    userId: 3,
    emailDigest: '7d1e',
    email: 'ada.quill@example.com',
    previousEmail: 'ada@example.com',
  },
});

/** Stream `users`. */
export const UserAvatarChanged = defineEvent({
  type: 'UserAvatarChanged',
  description: 'The avatar of a person or a bot was changed.',
  schema: z.strictObject({
    userId,
    /** Name in the file store. */
    storageName: z.string(),
    /** Id of its key. */
    contentKey: z.string(),
    /** The last segment of its URL. */
    fileName: z.string(),
    /** Bytes. */
    size: z.number().int().positive(),
    /** Name of the replaced picture in the file store; null: there was none. */
    replacedName: z.string().nullable(),
  }),
  example: {
    userId: 3,
    storageName: '2/avatar/9f86d081884c7d65',
    contentKey: '2/avatar/9f86d081884c7d65',
    fileName: '9f86d081884c7d65.png',
    size: 4096,
    replacedName: null,
  },
});

/** Stream `users`. */
export const UserAvatarRemoved = defineEvent({
  type: 'UserAvatarRemoved',
  description: 'A person removed their avatar.',
  schema: z.strictObject({
    userId,
    /** Its name in the file store. */
    replacedName: z.string(),
  }),
  example: { userId: 3, replacedName: '2/avatar/9f86d081884c7d65' },
});

/** Stream `users`. */
export const UserPasswordChanged = defineEvent({
  type: 'UserPasswordChanged',
  description: 'A person changed their password. The password is not in the log.',
  schema: z.strictObject({ userId }),
  example: { userId: 3 },
});

/** Stream `users`. */
export const UserRoleChanged = defineEvent({
  type: 'UserRoleChanged',
  version: 2,
  description: 'The role of an account was changed.',
  schema: z.strictObject({
    userId,
    role: roleSchema,
    /** The previous role. Null: recorded by an older version without this field. */
    previousRole: roleSchema.nullable(),
  }),
  upcasts: { 1: (data) => ({ ...data, previousRole: null }) },
  example: { userId: 3, role: 200, previousRole: 400 },
});

/** Stream `users`. */
export const ApiKeyRegenerated = defineEvent({
  type: 'ApiKeyRegenerated',
  description: 'All API keys of an account were revoked and a new one was issued. The key is not in the log.',
  schema: z.strictObject({ userId }),
  example: { userId: 3 },
});

/** Stream `users`. */
export const ApiKeyRevoked = defineEvent({
  type: 'ApiKeyRevoked',
  description: 'A person or a bot revoked one of their API keys. The key is not in the log.',
  schema: z.strictObject({
    userId,
    /** Name of the client program that the key was issued to; null: unknown. */
    client: z.string().nullable(),
  }),
  example: { userId: 3, client: 'ZulipMobile' },
});

export const userEvents = [
  UserRegistered,
  UserFirstLoggedIn,
  UserRenamed,
  UserEmailChanged,
  UserAvatarChanged,
  UserAvatarRemoved,
  UserPasswordChanged,
  UserRoleChanged,
  BotOwnerChanged,
  BotDefaultsChanged,
  BotServiceChanged,
  UserDeactivated,
  UserDeletionRequested,
  UserDeactivationNoticeRequested,
  UserReactivated,
  ApiKeyRegenerated,
  ApiKeyRevoked,
  ProfileDataChanged,
] as const;

export type UserEvent = EventOf<(typeof userEvents)[number]>;
