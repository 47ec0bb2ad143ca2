import { isSubscribed } from '../../../access/records/subscription.js';
import { mayManageBot } from '../../../access/people-permissions.js';
import type { Snapshot } from '../../../access/snapshot.js';
import type { UserEvent } from '../../../events/users.js';
import { isAdministrator } from '../../../access/records/roles.js';
import { defaultsOf, type User } from '../../../access/records/user.js';
import { joiningTime } from '../users.view.js';
import type { ClientEvent } from '../../../realtime/client-event.js';
import {
  NO_CLIENT_EVENT,
  mapper,
  type AddressedEvent,
  type MapperContext,
  type Mappers,
} from '../../../realtime/mapper.js';
import { botDefaultsChanged, managersOf } from '../../channels/client-events/bot-defaults.js';
import { botAddition, botChanged, newKey, serviceChanged } from './bots.js';
import {
  addressEvents,
  avatarFields,
  consentEvents,
  namedPersonEvents,
  registrationEvent,
  seenAddressEvents,
} from './person-events.js';
import { endedStatus, presentStatus } from './person-status.js';
import { profileEvents } from '../../profiles/client-events.js';
import { addressedPeerEvent } from '../../channels/client-events/subscriptions.js';
import type { UserModels } from '../client-models.js';
import { botAccessEvents, secretsForRole } from './bot-access.js';
import { defaultsForRole } from '../../channels/client-events/defaults.js';
import { accessOf, channelAccessEvents, groupEvents, noAccess, type OfUser } from './account-access.js';

/** Accounts that are created and changed, with the resulting changes of groups and channels. */
export const userMappers: Mappers<UserEvent, UserModels> = {
  UserRegistered: mapper({
    read: ({ data: { userId, bot }, metadata }, models, snapshot) =>
      newKey({ userId, bot, since: metadata.at }, models, snapshot),
    clientEvents: ({ data: { userId } }, { snapshot, read: key }) => {
      const user = snapshot.directory.user(userId);
      if (user === null || user.bot?.isSystem === true) return [];
      return [
        { to: 'everyone', event: registrationEvent(user, snapshot) },
        ...groupEvents({ data: { userId } }, noAccess, snapshot),
        ...(user.bot === null
          ? []
          : botAddition(user, { key, token: null }, { snapshot, to: managersOf(user) })),
      ];
    },
  }),
  UserFirstLoggedIn: {
    clientEvents: ({ data, metadata }) => changed(data, { date_joined: joiningTime(metadata.at) }),
  },
  UserRenamed: {
    clientEvents: ({ data: { userId, fullName } }, { snapshot }) => [
      ...changed({ userId }, { full_name: fullName }),
      ...botChanged(snapshot.directory.user(userId), { full_name: fullName }),
    ],
  },
  UserRoleChanged: mapper({
    before: (event, snapshot) => ({
      user: snapshot.directory.user(event.data.userId),
      access: accessOf(event, snapshot),
    }),
    read: async ({ data }, models, snapshot) => {
      const hasClient = models.hasClient(data.userId);
      const channels = hasClient ? [...snapshot.directory.channels()] : [];
      return {
        hasClient,
        activities: await models.activities(channels.map(({ id }) => id)),
        secrets: await secretsForRole(data, models, snapshot),
      };
    },
    clientEvents: (event, { snapshot, before, read: { hasClient, activities, secrets } }) => {
      const user = snapshot.directory.user(event.data.userId);
      if (before.user === null || user === null) return [];
      return [
        ...changed(event.data, { role: event.data.role }),
        ...(hasClient ? seenAddressEvents(before.user, user, snapshot) : []),
        ...groupEvents(event, before.access, snapshot),
        // Before the channels: events about the default channels of bots are only for those who have these bots.
        ...botAccessEvents({ before: before.user, after: user }, secrets, snapshot),
        ...channelAccessEvents(event, before.access, { snapshot, activities }),
        ...defaultsForRole(before.user, user, snapshot),
      ];
    },
  }),
  BotOwnerChanged: mapper({
    before: ({ data: { userId } }, { directory }) => directory.user(userId)?.bot?.ownerId ?? null,
    // The old key is not sent: the new owner gets the bot with its new key.
    read: async ({ data: { userId, ownerId }, metadata }, models) =>
      models.hasClient(ownerId)
        ? {
            key: await models.newBotKey(userId, metadata.at),
            token: models.botServiceToken(userId),
          }
        : { key: null, token: null },
    clientEvents: ({ data: { userId, ownerId } }, { snapshot, before, read: secrets }) => {
      const bot = snapshot.directory.user(userId);
      const loses = before === null ? [] : [before];
      return [
        ...changed({ userId }, { bot_owner_id: ownerId }),
        {
          to: (user) => loses.includes(user.id) && !isAdministrator(user),
          event: { type: 'realm_bot', op: 'delete', bot: { user_id: userId } },
        },
        ...(bot === null
          ? []
          : botAddition(bot, secrets, {
              snapshot,
              to: (user) => user.id === ownerId && !isAdministrator(user),
            })),
        {
          to: isAdministrator,
          event: { type: 'realm_bot', op: 'update', bot: { user_id: userId, owner_id: ownerId } },
        },
      ];
    },
  }),
  BotServiceChanged: mapper({
    read: ({ data: { userId } }, models) => Promise.resolve(models.botServiceToken(userId)),
    clientEvents: ({ data: { userId } }, { snapshot, read: token }) =>
      serviceChanged(snapshot.directory.user(userId), token),
  }),
  BotDefaultsChanged: mapper({
    before: ({ data: { userId } }, { directory }) => {
      const bot = directory.user(userId);
      return bot === null ? null : defaultsOf(bot);
    },
    clientEvents: ({ data: { userId } }, { snapshot, before }) =>
      botDefaultsChanged(before, snapshot.directory.user(userId), snapshot),
  }),
  UserDeactivated: mapper({
    before: (event, snapshot) => accessOf(event, snapshot),
    clientEvents: (event, { snapshot, before }) => [
      ...changed(event.data, { is_active: false }),
      ...statusEvents(event, snapshot, endedStatus),
      ...botChanged(snapshot.directory.user(event.data.userId), { is_active: false, api_key: '' }),
      ...groupEvents(event, before, snapshot),
      ...namedPersonEvents(snapshot, event.data.userId),
      ...peerEvents('peer_remove', event, snapshot),
    ],
  }),
  // The other effects of the deletion have client events of their own: the new name, the new picture, deleted messages.
  UserDeletionRequested: {
    clientEvents: ({ data }) => (data.profile ? changed(data, { is_deleted: true }) : []),
  },
  UserDeactivationNoticeRequested: NO_CLIENT_EVENT,
  UserReactivated: mapper({
    before: (event, snapshot) => accessOf(event, snapshot),
    clientEvents: (event, { snapshot, before }) => [
      ...changed(event.data, { is_active: true }),
      ...statusEvents(event, snapshot, presentStatus),
      ...botChanged(snapshot.directory.user(event.data.userId), { is_active: true }),
      ...groupEvents(event, before, snapshot),
      ...namedPersonEvents(snapshot, event.data.userId),
      ...peerEvents('peer_add', event, snapshot),
      ...knownConsent(event, snapshot),
    ],
  }),
  ProfileDataChanged: { clientEvents: profileEvents },
  UserEmailChanged: {
    clientEvents: ({ data: { userId } }, { snapshot: { directory } }) => {
      const user = directory.user(userId);
      if (user === null) return [];
      const { avatar_url } = avatarFields(user, directory);
      return [...addressEvents(user, directory), ...botChanged(user, { email: user.email, avatar_url })];
    },
  },
  UserAvatarChanged: { clientEvents: avatarEvents },
  UserAvatarRemoved: { clientEvents: avatarEvents },
  UserPasswordChanged: NO_CLIENT_EVENT,
  ApiKeyRegenerated: mapper({
    read: ({ data: { userId }, metadata }, models, snapshot) =>
      newKey(
        { userId, bot: snapshot.directory.user(userId)?.bot ?? null, since: metadata.at },
        models,
        snapshot,
      ),
    clientEvents: ({ data: { userId } }, { snapshot, read: key }) => {
      const bot = snapshot.directory.user(userId);
      if (key === null || bot === null) return [];
      const event = { type: 'realm_bot', op: 'update', bot: { user_id: userId, api_key: key } };
      return [{ to: (user) => mayManageBot(user, bot), event }];
    },
  }),
  ApiKeyRevoked: NO_CLIENT_EVENT,
};

/** Client events about a person's status, which is shown only while the account is active. */
function statusEvents(
  { data: { userId } }: OfUser,
  snapshot: Snapshot,
  eventsOf: (user: User, snapshot: Snapshot) => readonly ClientEvent[],
): readonly AddressedEvent[] {
  const user = snapshot.directory.user(userId);
  return user === null ? [] : eventsOf(user, snapshot).map((event) => ({ to: 'everyone', event }));
}

/** The fields of an account do not contain its consent, which is not listed while the account is deactivated. */
function knownConsent({ data: { userId } }: OfUser, { directory }: Snapshot): readonly AddressedEvent[] {
  const user = directory.user(userId);
  if (user === null) return [];
  return consentEvents(user, directory.settings.value(userId, 'allow_private_data_export'));
}

function avatarEvents(
  { data: { userId } }: OfUser,
  { snapshot: { directory } }: MapperContext,
): readonly AddressedEvent[] {
  const user = directory.user(userId);
  if (user === null) return [];
  const fields = avatarFields(user, directory);
  return [...changed({ userId }, fields), ...botChanged(user, { avatar_url: fields.avatar_url })];
}

function changed({ userId }: { readonly userId: number }, fields: object): readonly AddressedEvent[] {
  return [
    {
      to: 'everyone',
      event: { type: 'realm_user', op: 'update', person: { user_id: userId, ...fields } },
    },
  ];
}

function peerEvents(
  op: 'peer_add' | 'peer_remove',
  { data }: OfUser,
  snapshot: Snapshot,
): readonly AddressedEvent[] {
  const { userId } = data;
  const subscribed = [...snapshot.directory.subscriptionsOfUser(userId)].filter(isSubscribed);
  const channels = subscribed.flatMap(({ channelId }) => snapshot.directory.channel(channelId) ?? []);
  return channels.map((channel) => addressedPeerEvent(op, { channel, userIds: [userId] }, snapshot));
}
