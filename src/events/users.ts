import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';
import { ProfileDataChanged } from './profile-fields.js';

/** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest (specification, "What the service does", 7). */
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
  description: 'An account was made for a person or a bot.',
  schema: z.strictObject({
    userId,
    /** Keyed digest of the address: what look-ups and uniqueness go by. */
    emailDigest: z.string(),
    email: z.string(),
    fullName: z.string(),
    role: roleSchema,
    /** Null for people. System bots belong to nobody and cannot log in. */
    bot: z
      .strictObject({
        type: z.number().int().min(1).max(4),
        ownerId: userId.nullable(),
        isSystem: z.boolean(),
      })
      .nullable(),
    /** Made for a person by somebody else: they count as having joined when they first log in (specification, "States"). */
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
  description: 'A person whose account others had made logged in for the first time, and so joined.',
  schema: z.strictObject({ userId }),
  example: { userId: 3 },
});

/** Stream `users`. */
export const UserRenamed = defineEvent({
  type: 'UserRenamed',
  description: 'A person or a bot took another display name.',
  schema: z.strictObject({ userId, fullName: z.string() }),
  erasable: { fields: ['fullName'], owner: (data) => data.userId, placeholder: { fullName: 'Deleted user' } },
  example: { userId: 3, fullName: 'Ada Quill-Byron' },
});

/** Stream `users`. */
export const UserEmailChanged = defineEvent({
  type: 'UserEmailChanged',
  description: 'An account got another address: its person confirmed it, or an owner set it.',
  schema: z.strictObject({
    userId,
    /** Keyed digest of the address. */
    emailDigest: z.string(),
    email: z.string(),
    /** The address that it had: whoever reads mail there is told. */
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
  description: 'A person or a bot got another picture.',
  schema: z.strictObject({
    userId,
    /** Where it lies in the file store. */
    storageName: z.string(),
    /** Names its key. */
    contentKey: z.string(),
    /** The last segment of its address. */
    fileName: z.string(),
    /** Bytes. */
    size: z.number().int().positive(),
    /** Where the picture lay that it replaces; null: there was none. */
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
  description: 'A person took their picture away.',
  schema: z.strictObject({
    userId,
    /** Where it lay in the file store. */
    replacedName: z.string(),
  }),
  example: { userId: 3, replacedName: '2/avatar/9f86d081884c7d65' },
});

/** Stream `users`. */
export const UserPasswordChanged = defineEvent({
  type: 'UserPasswordChanged',
  description: 'A person set another password. It is nowhere in the log.',
  schema: z.strictObject({ userId }),
  example: { userId: 3 },
});

/** Stream `users`. */
export const UserRoleChanged = defineEvent({
  type: 'UserRoleChanged',
  version: 2,
  description: 'An account got another role.',
  schema: z.strictObject({
    userId,
    role: roleSchema,
    /** What it had until then. Null: changed by a version of the server that did not record it. */
    previousRole: roleSchema.nullable(),
  }),
  upcasts: { 1: (data) => ({ ...data, previousRole: null }) },
  example: { userId: 3, role: 200, previousRole: 400 },
});

/** Stream `users`. */
export const BotOwnerChanged = defineEvent({
  type: 'BotOwnerChanged',
  description: 'A bot was given to another person.',
  schema: z.strictObject({ userId, ownerId: userId }),
  example: { userId: 5, ownerId: 3 },
});

const channelId = z.number().int().positive();

/** Stream `users`. */
export const BotDefaultsChanged = defineEvent({
  type: 'BotDefaultsChanged',
  description: 'What holds for a bot where it does not say itself was chosen anew.',
  schema: z.strictObject({
    userId,
    /** Where it sends; null: nowhere. */
    sendingChannelId: channelId.nullable(),
    /** Of which messages its clients are told; null: of all. */
    registeringChannelId: channelId.nullable(),
    /** Whether its clients are told of the messages of every public channel. */
    allPublicChannels: z.boolean(),
  }),
  example: { userId: 5, sendingChannelId: 2, registeringChannelId: null, allPublicChannels: false },
});

/** How an outgoing webhook's requests are written: 1 as JSON, 2 as a form in the words of another service. */
export const serviceInterfaces = [1, 2] as const;

/** Stream `users`. */
export const BotServiceChanged = defineEvent({
  type: 'BotServiceChanged',
  description: 'It was chosen where requests of an outgoing webhook bot go.',
  schema: z.strictObject({
    userId,
    /** Empty: nowhere. */
    baseUrl: z.string(),
    interface: z.union([z.literal(serviceInterfaces[0]), z.literal(serviceInterfaces[1])]),
  }),
  erasable: { fields: ['baseUrl'], owner: (data) => data.userId, placeholder: { baseUrl: '' } },
  example: { userId: 5, baseUrl: 'https://looms.example.com/hook', interface: 1 },
});

/** Stream `users`. */
export const UserDeactivated = defineEvent({
  type: 'UserDeactivated',
  description: 'An account was deactivated; every key of it was revoked.',
  schema: z.strictObject({ userId }),
  example: { userId: 3 },
});

/** Stream `users`. What an administrator wants gone of somebody whom they deactivate; a process manager deletes the messages. */
export const UserDeletionRequested = defineEvent({
  type: 'UserDeletionRequested',
  description: 'Whoever deactivated an account wanted its profile, or messages of it, deleted.',
  schema: z.strictObject({
    userId,
    /** Its name and picture. */
    profile: z.boolean(),
    publicChannelMessages: z.boolean(),
    privateChannelMessages: z.boolean(),
    directMessages: z.boolean(),
  }),
  example: {
    userId: 3,
    profile: true,
    publicChannelMessages: false,
    privateChannelMessages: true,
    directMessages: true,
  },
});

/** Stream `users`. */
export const UserDeactivationNoticeRequested = defineEvent({
  type: 'UserDeactivationNoticeRequested',
  description: 'Whoever deactivated an account wanted its person to be written to.',
  schema: z.strictObject({
    userId,
    /** What they are told beside that; empty: nothing. */
    comment: z.string(),
  }),
  erasable: { fields: ['comment'], owner: (data) => data.userId, placeholder: { comment: '' } },
  example: { userId: 3, comment: 'Thank you for the looms.' },
});

/** Stream `users`. */
export const UserReactivated = defineEvent({
  type: 'UserReactivated',
  description: 'A deactivated account was made active again.',
  schema: z.strictObject({ userId }),
  example: { userId: 3 },
});

/** Stream `users`. */
export const ApiKeyRegenerated = defineEvent({
  type: 'ApiKeyRegenerated',
  description:
    'Every API key of an account was revoked and a new one issued. The key itself is nowhere in the log.',
  schema: z.strictObject({ userId }),
  example: { userId: 3 },
});

/** Stream `users`. */
export const ApiKeyRevoked = defineEvent({
  type: 'ApiKeyRevoked',
  description: 'A person or a bot ended one of their API keys. The key itself is nowhere in the log.',
  schema: z.strictObject({
    userId,
    /** Name of the client program that the key was given to; null where that was not known. */
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
