import { mayCreateChannel, mayAddSubscribersAnywhere } from '../../directory/channel-permissions.js';
import { apiEmail } from '../../directory/email-visibility.js';
import { holds } from '../../directory/organization-permission.js';
import { fieldTypes } from '../../profiles/field-types.js';
import { fieldObjects } from '../../profiles/views/field-object.js';
import { avatarSource, avatarUrl, mediumAvatarUrl } from '../../users/avatar.js';
import { isAdministrator, isGuest, isOwner, roles } from '../../users/roles.js';
import type { User } from '../../users/user.js';
import { userObject, type UserView } from '../../users/views/user-object.js';
import { JsonText } from '../client-event.js';
import { botObject } from '../translations/users.js';
import type { InitialState, StateFields, StateRequest } from './initial-state.js';

/** Everyone, and what the person who asks is and may do. */
export const userState: InitialState = {
  custom_profile_fields: ({ moment: { directory } }) => ({
    custom_profile_fields: fieldObjects(directory.profiles.fields.fields),
    custom_profile_field_types: fieldTypes,
  }),
  realm_user: (request) => {
    const users = [...request.moment.directory.users()];
    const people = users.filter(({ bot }) => bot?.isSystem !== true);
    const written = writer(request);
    return {
      realm_users: list(people.filter(({ isActive }) => isActive).map(written)),
      realm_non_active_users: list(people.filter(({ isActive }) => !isActive).map(written)),
      cross_realm_bots: users
        .filter(({ bot }) => bot?.isSystem === true)
        .map((user) => userObject(user, viewOf(request))),
      ...ownFields(request),
    };
  },
  realm_bot: async ({ user, moment, models }) => {
    const bots = [...moment.directory.users()].filter(
      ({ bot }) => bot?.isSystem === false && (isAdministrator(user) || bot.ownerId === user.id),
    );
    const keys = await models.botKeys(bots.map(({ id }) => id));
    return { realm_bots: bots.map((bot) => botObject(bot, keys.get(bot.id), moment.directory)) };
  },
};

function list(texts: readonly string[]): JsonText {
  return new JsonText(`[${texts.join(',')}]`);
}

function viewOf({ user: viewer, options, moment: { directory } }: StateRequest): UserView {
  return { directory, viewer, clientGravatar: options.clientGravatar, includeProfile: true };
}

function writer(request: StateRequest): (user: User) => string {
  const view = viewOf(request);
  return (user) => {
    // Who is active is told by the list that they are in.
    const { is_active: _listed, ...object } = userObject(user, view);
    return JSON.stringify(object);
  };
}

function ownFields({ user, moment }: StateRequest): StateFields {
  const mayCreate = (inviteOnly: boolean, isWebPublic = false): boolean =>
    mayCreateChannel(moment, user, { inviteOnly, isWebPublic, historyPublicToSubscribers: true });
  const [createsPublic, createsPrivate] = [mayCreate(false), mayCreate(true)];
  return {
    user_id: user.id,
    email: apiEmail(moment.directory, user),
    delivery_email: user.email,
    full_name: user.fullName,
    avatar_source: avatarSource(user),
    avatar_url: avatarUrl(moment.directory, user, false),
    avatar_url_medium: mediumAvatarUrl(moment.directory, user),
    is_admin: isAdministrator(user),
    is_owner: isOwner(user),
    // Other than the two before it, this is said of the role alone.
    is_moderator: user.role === roles.moderator,
    is_guest: isGuest(user),
    can_create_public_streams: createsPublic,
    can_create_private_streams: createsPrivate,
    can_create_web_public_streams: mayCreate(false, true),
    can_create_streams: createsPublic || createsPrivate,
    can_subscribe_other_users: mayAddSubscribersAnywhere(moment, user),
    can_invite_others_to_realm: !isGuest(user) && holds(moment, user, 'can_invite_users_group'),
  };
}
