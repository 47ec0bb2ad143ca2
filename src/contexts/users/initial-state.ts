import { mayCreateChannel } from '../../access/channel-permissions.js';
import { apiEmail } from '../../access/email-visibility.js';
import { hasPermission } from '../../access/membership.js';
import { mayManageBot, maySeeBot } from '../../access/people-permissions.js';
import { avatarSource, avatarUrl, mediumAvatarUrl } from './avatar.js';
import { isAdministrator, isGuest, isModerator, isOwner } from '../../access/records/roles.js';
import type { UserGroup } from '../../access/records/user-group.js';
import type { User } from '../../access/records/user.js';
import { groupObject, unknownUserObject, userObject, type UserView } from './users.view.js';
import { KnownPeople, type Knows } from '../../access/known-people.js';
import { RawJson } from '../../kernel/json.js';
import { secretsOf } from './client-events/bot-access.js';
import { botObject, noSecrets } from './client-events/bots.js';
import { writeInSlices } from '../../runtime/time-slice.js';
import type { InitialState, StateFields, StateRequest } from '../../realtime/initial-state.js';
import type { UserModels } from './client-models.js';

/** Everyone, and the person's own account with its permissions. */
export const userState: InitialState<UserModels> = {
  realm_user: async (request) => {
    const { user: viewer, snapshot, models, options } = request;
    const users = [...snapshot.directory.users()];
    const people = users.filter(({ bot }) => bot?.isSystem !== true);
    const knows = await new KnownPeople(models).predicateFor(viewer, snapshot);
    // People whom the person may not know look active, whether or not they are.
    const listed = options.capabilities.user_list_incomplete ? people.filter(knows) : people;
    const written = writer(request, knows);
    return {
      realm_users: list(
        await writeInSlices(
          listed.filter((user) => user.isActive || !knows(user)),
          written,
        ),
      ),
      realm_non_active_users: list(
        await writeInSlices(
          listed.filter((user) => !user.isActive && knows(user)),
          written,
        ),
      ),
      cross_realm_bots: users
        .filter(({ bot }) => bot?.isSystem === true)
        .map((user) => userObject(user, viewOf(request))),
      ...ownFields(request),
    };
  },
  realm_bot: async ({ user, snapshot, models }) => {
    const view = { snapshot, viewer: user };
    const bots = [...snapshot.directory.users()].filter((bot) => maySeeBot(user, bot));
    const readable = bots.filter((bot) => mayManageBot(user, bot));
    const keys = await models.botKeys(readable.map(({ id }) => id));
    const secrets = secretsOf(readable, keys, models);
    return {
      realm_bots: bots.map((bot) => botObject(bot, secrets.get(bot.id) ?? noSecrets, view)),
    };
  },
};

/** User groups with their members. */
export const userGroupState: InitialState = {
  realm_user_groups: async ({ snapshot, options }) => {
    const groups = [...snapshot.directory.groups()]
      .filter(({ isDeactivated }) => !isDeactivated || options.capabilities.include_deactivated_groups)
      .sort((a, b) => a.id - b.id);
    const write = (group: UserGroup): string => JSON.stringify(groupObject(snapshot, group));
    return { realm_user_groups: list(await writeInSlices(groups, write)) };
  },
};

function list(texts: readonly string[]): RawJson {
  return new RawJson(`[${texts.join(',')}]`);
}

function viewOf({ user: viewer, options, snapshot: { directory } }: StateRequest): UserView {
  return { directory, viewer, clientGravatar: options.clientGravatar, includeProfile: true };
}

function writer(request: StateRequest, knows: Knows): (user: User) => string {
  const view = viewOf(request);
  return (user) => {
    const shown = knows(user) ? userObject(user, view) : unknownUserObject(user.id, view);
    // Whether a bot is active follows from the list that it is in.
    const { is_active: _listed, ...object } = shown;
    return JSON.stringify(object);
  };
}

function ownFields({ user, snapshot }: StateRequest): StateFields {
  const mayCreate = (inviteOnly: boolean, isWebPublic = false): boolean =>
    mayCreateChannel(snapshot, user, { inviteOnly, isWebPublic, historyPublicToSubscribers: true });
  const [createsPublic, createsPrivate] = [mayCreate(false), mayCreate(true)];
  return {
    user_id: user.id,
    email: apiEmail(snapshot.directory, user),
    delivery_email: user.email,
    full_name: user.fullName,
    avatar_source: avatarSource(user),
    avatar_url: avatarUrl(snapshot.directory, user, false),
    avatar_url_medium: mediumAvatarUrl(snapshot.directory, user),
    is_admin: isAdministrator(user),
    is_owner: isOwner(user),
    is_moderator: isModerator(user),
    is_guest: isGuest(user),
    can_create_public_streams: createsPublic,
    can_create_private_streams: createsPrivate,
    can_create_web_public_streams: mayCreate(false, true),
    can_create_streams: createsPublic || createsPrivate,
    can_invite_others_to_realm: !isGuest(user) && hasPermission(snapshot, user, 'can_invite_users_group'),
  };
}
