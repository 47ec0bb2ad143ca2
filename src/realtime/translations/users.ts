import { isSubscribed } from '../../channels/subscription.js';
import { deliveryEmail } from '../../directory/email-visibility.js';
import { listsDirectly } from '../../directory/membership.js';
import type { Directory } from '../../directory/directory.js';
import type { Moment } from '../../directory/moment.js';
import type { UserEvent } from '../../users/events.js';
import { isAdministrator } from '../../users/roles.js';
import type { User } from '../../users/user.js';
import { defaultsOf } from '../../users/bot-defaults.js';
import { botDefaultFields, botFields } from '../../users/views/bot-object.js';
import { joiningTime, userObject } from '../../users/views/user-object.js';
import type { ClientEvent } from '../client-event.js';
import type { ClientModels } from '../client-models.js';
import {
  noClientEvent,
  translation,
  type Audience,
  type Notice,
  type Receiver,
  type Scene,
  type Translations,
} from '../translation.js';
import { channelsKnownTo, gainedNotices, knowersOf, lostNotices, type Sighted } from './channel-access.js';
import { addressNotices, avatarFields } from './addresses.js';
import { namedPersonNotices } from './named-people.js';
import { profileNotices } from './profiles.js';
import { peerNotice } from './subscriptions.js';

interface OfUser {
  readonly data: { readonly userId: number };
}

/** Of an account that did not exist. */
const nothing = { groupIds: [], channelIds: new Set<number>() };

interface Standing {
  readonly groupIds: readonly number[];
  /** Ids of the channels that the account may know of. */
  readonly channelIds: ReadonlySet<number>;
}

/** What of an account follows from its role and whether it is active. */
function standing({ data: { userId } }: OfUser, moment: Moment): Standing {
  const user = moment.directory.user(userId);
  if (user === null) return nothing;
  const groups = [...moment.directory.groups()].filter((group) => listsDirectly(moment, group, user));
  const channelIds = channelsKnownTo(moment, [user]).get(userId) ?? new Set<number>();
  return { groupIds: groups.map(({ id }) => id), channelIds };
}

/** Accounts as they are made and changed, with the groups and channels that follow from it. */
export const userTranslations: Translations<UserEvent> = {
  UserRegistered: translation({
    read: ({ data: { userId, bot }, metadata }, models, moment) =>
      newKey({ userId, bot, since: metadata.at }, models, moment),
    notices: ({ data: { userId } }, { moment, read: key }) => {
      const user = moment.directory.user(userId);
      if (user === null || user.bot?.isSystem === true) return [];
      return [
        { to: 'everyone', event: additionEvent(user, moment) },
        ...groupNotices({ data: { userId } }, nothing, moment),
        ...(user.bot === null
          ? []
          : [
              {
                to: keepersOf(user),
                event: { type: 'realm_bot', op: 'add', bot: botObject(user, key, moment.directory) },
              },
            ]),
      ];
    },
  }),
  UserFirstLoggedIn: {
    notices: ({ data, metadata }) => changed(data, { date_joined: joiningTime(metadata.at) }),
  },
  UserRenamed: {
    notices: ({ data: { userId, fullName } }, { moment }) => [
      ...changed({ userId }, { full_name: fullName }),
      ...botChanged(moment.directory.user(userId), { full_name: fullName }),
    ],
  },
  UserRoleChanged: translation({
    before: (event, moment) => standing(event, moment),
    read: ({ data: { userId } }, models, { directory }) =>
      models.activities(models.isListening(userId) ? [...directory.channels()].map(({ id }) => id) : []),
    notices: (event, { moment, before, read }) => [
      ...changed(event.data, { role: event.data.role }),
      ...groupNotices(event, before, moment),
      ...sightNotices(event, before, { moment, activities: read }),
    ],
  }),
  BotOwnerChanged: translation({
    before: ({ data: { userId } }, { directory }) => directory.user(userId)?.bot?.ownerId ?? null,
    read: async ({ data: { userId, ownerId } }, models) =>
      models.isListening(ownerId) ? models.botKey(userId) : null,
    notices: ({ data: { userId, ownerId } }, { moment, before, read: key }) => {
      const bot = moment.directory.user(userId);
      const loses = before === null ? [] : [before];
      return [
        ...changed({ userId }, { bot_owner_id: ownerId }),
        {
          to: (user) => loses.includes(user.id) && !isAdministrator(user),
          event: { type: 'realm_bot', op: 'delete', bot: { user_id: userId } },
        },
        {
          to: (user) => user.id === ownerId && !isAdministrator(user),
          event: {
            type: 'realm_bot',
            op: 'add',
            bot: bot === null ? {} : botObject(bot, key, moment.directory),
          },
        },
        {
          to: isAdministrator,
          event: { type: 'realm_bot', op: 'update', bot: { user_id: userId, owner_id: ownerId } },
        },
      ];
    },
  }),
  BotDefaultsChanged: translation({
    before: ({ data: { userId } }, { directory }) => botDefaults(directory, userId),
    notices: ({ data: { userId } }, { moment: { directory }, before }) =>
      changedFields(before, botDefaults(directory, userId)).flatMap((field) =>
        botChanged(directory.user(userId), field),
      ),
  }),
  UserDeactivated: translation({
    before: (event, moment) => standing(event, moment),
    notices: (event, { moment, before }) => [
      ...changed(event.data, { is_active: false }),
      ...botChanged(moment.directory.user(event.data.userId), { is_active: false }),
      ...groupNotices(event, before, moment),
      ...namedPersonNotices(moment, event.data.userId),
      ...peerNotices('peer_remove', event, moment),
    ],
  }),
  UserReactivated: translation({
    before: (event, moment) => standing(event, moment),
    notices: (event, { moment, before }) => [
      ...changed(event.data, { is_active: true }),
      ...botChanged(moment.directory.user(event.data.userId), { is_active: true }),
      ...groupNotices(event, before, moment),
      ...namedPersonNotices(moment, event.data.userId),
      ...peerNotices('peer_add', event, moment),
    ],
  }),
  ProfileDataChanged: { notices: profileNotices },
  UserEmailChanged: {
    notices: ({ data: { userId } }, { moment: { directory } }) => {
      const user = directory.user(userId);
      if (user === null) return [];
      const { avatar_url } = avatarFields(user, directory);
      return [...addressNotices(user, directory), ...botChanged(user, { email: user.email, avatar_url })];
    },
  },
  UserAvatarChanged: { notices: avatarNotices },
  UserAvatarRemoved: { notices: avatarNotices },
  UserPasswordChanged: noClientEvent,
  ApiKeyRegenerated: translation({
    read: ({ data: { userId }, metadata }, models, moment) =>
      newKey({ userId, bot: moment.directory.user(userId)?.bot ?? null, since: metadata.at }, models, moment),
    notices: ({ data: { userId } }, { moment, read: key }) =>
      key === null ? [] : botChanged(moment.directory.user(userId), { api_key: key }),
  }),
};

/** Viewers who see the same of an account get the same object: there may be thousands of them. */
function additionEvent(user: User, { directory }: Moment): (receiver: Receiver) => ClientEvent {
  const made = new Map<string, ClientEvent>();
  return ({ user: viewer, options: { clientGravatar } }) => {
    const form = `${clientGravatar} ${deliveryEmail(directory, user, viewer)}`;
    let event = made.get(form);
    if (event === undefined) {
      const person = userObject(user, { directory, viewer, clientGravatar, includeProfile: true });
      made.set(form, (event = { type: 'realm_user', op: 'add', person }));
    }
    return event;
  };
}

function avatarNotices({ data: { userId } }: OfUser, { moment: { directory } }: Scene): readonly Notice[] {
  const user = directory.user(userId);
  if (user === null) return [];
  const fields = avatarFields(user, directory);
  return [...changed({ userId }, fields), ...botChanged(user, { avatar_url: fields.avatar_url })];
}

function changed({ userId }: { readonly userId: number }, fields: object): readonly Notice[] {
  return [
    {
      to: 'everyone',
      event: { type: 'realm_user', op: 'update', person: { user_id: userId, ...fields } },
    },
  ];
}

function botDefaults(directory: Directory, userId: number): Readonly<Record<string, unknown>> {
  const bot = directory.user(userId);
  return bot === null ? {} : { ...botDefaultFields(defaultsOf(bot), directory) };
}

/** Each member that is other than it was, by itself. */
function changedFields(
  before: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
): readonly object[] {
  return Object.entries(now)
    .filter(([name, value]) => value !== before[name])
    .map(([name, value]) => ({ [name]: value }));
}

/** A bot is shown to its owner and to administrators. */
function keepersOf({ bot }: User): Audience {
  return (user) => isAdministrator(user) || user.id === bot?.ownerId;
}

function botChanged(user: User | null, fields: object): readonly Notice[] {
  if (user?.bot == null) return [];
  const bot = { user_id: user.id, ...fields };
  return [{ to: keepersOf(user), event: { type: 'realm_bot', op: 'update', bot } }];
}

interface NewKey {
  readonly userId: number;
  readonly bot: User['bot'];
  readonly since: number;
}

/** The key that a bot is given with an event, where a client of somebody who may read it is live here; else null. */
async function newKey(
  { userId, bot, since }: NewKey,
  models: ClientModels,
  { directory }: Moment,
): Promise<string | null> {
  if (bot === null || bot.isSystem) return null;
  const isHeard = [...directory.users()].some(
    (user) => (isAdministrator(user) || user.id === bot.ownerId) && models.isListening(user.id),
  );
  return isHeard ? models.newBotKey(userId, since) : null;
}

/** What the keepers of a bot are shown. Its key is empty when it is yet to be renewed. */
export function botObject(user: User, key: string | null | undefined, directory: Directory): object {
  return {
    user_id: user.id,
    email: user.email,
    full_name: user.fullName,
    bot_type: user.bot?.type ?? null,
    is_active: user.isActive,
    api_key: key ?? '',
    owner_id: user.bot?.ownerId ?? null,
    services: [],
    ...botFields(user, directory),
  };
}

/** The groups that follow from roles have other members now, and groups without deactivated accounts. */
function groupNotices(event: OfUser, before: Standing, moment: Moment): readonly Notice[] {
  const { userId } = event.data;
  const { groupIds } = standing(event, moment);
  const entered = groupIds.filter((id) => !before.groupIds.includes(id));
  const left = before.groupIds.filter((id) => !groupIds.includes(id));
  return [
    ...left.map(membership('remove_members', userId)),
    ...entered.map(membership('add_members', userId)),
  ];
}

function membership(op: string, userId: number): (groupId: number) => Notice {
  return (groupId) => ({
    to: 'everyone',
    event: { type: 'user_group', op, group_id: groupId, user_ids: [userId] },
  });
}

/** Who becomes a guest, or ceases to be one, knows of other channels. */
function sightNotices(event: OfUser, before: Standing, sighted: Sighted): readonly Notice[] {
  const { moment } = sighted;
  const { userId } = event.data;
  const { channelIds } = standing(event, moment);
  const gained = [...channelIds].filter((id) => !before.channelIds.has(id));
  const lost = [...before.channelIds].filter((id) => !channelIds.has(id));
  const channelsOf = (ids: readonly number[]) => ids.flatMap((id) => moment.directory.channel(id) ?? []);
  return [
    ...gainedNotices(channelsOf(gained), [userId], sighted),
    ...lostNotices(channelsOf(lost), [userId]),
  ];
}

function peerNotices(op: 'peer_add' | 'peer_remove', { data }: OfUser, moment: Moment): readonly Notice[] {
  const { userId } = data;
  const subscribed = [...moment.directory.subscriptionsOfUser(userId)].filter(isSubscribed);
  const channels = subscribed.flatMap(({ channelId }) => moment.directory.channel(channelId) ?? []);
  return channels.map((channel) =>
    peerNotice(op, { channel, userIds: [userId] }, knowersOf(moment, channel.id)),
  );
}
