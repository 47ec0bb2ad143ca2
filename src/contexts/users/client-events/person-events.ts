import { mayKnow } from '../../../access/acquaintances.js';
import { DirectConversations } from '../../../access/direct-conversations.js';
import type { Directory } from '../../../access/directory.js';
import {
  apiEmail,
  deliveryEmail,
  isPublic,
  isShownToEveryone,
  seesEmail,
  type EmailVisibility,
} from '../../../access/email-visibility.js';
import { isAdministrator } from '../../../access/records/roles.js';
import type { User } from '../../../access/records/user.js';
import { shownPermissions } from '../../../access/permission-value.js';
import type { Snapshot } from '../../../access/snapshot.js';
import type { GroupSetting } from '../../../events/values/group-setting.js';
import type { ClientEvent } from '../../../realtime/client-event.js';
import type { AddressedEvent, Receiver } from '../../../realtime/mapper.js';
import { channelChanged, permissionChanges } from '../../channels/client-events/channels.js';
import { permissionEvents } from '../../organization/client-events/organization.js';
import { avatarSource, mediumAvatarUrl, shownAvatarUrl } from '../avatar.js';
import { UNKNOWN_NAME, unknownUserObject, userObject } from '../users.view.js';
import { groupChanged } from './user-groups.js';

/** A client event with changed fields of an account. */
export function personEvent({ id }: User, fields: object): AddressedEvent {
  return { to: 'everyone', event: { type: 'realm_user', op: 'update', person: { user_id: id, ...fields } } };
}

/** Fields with the URLs of an account's picture. */
export function avatarFields(user: User, directory: Directory) {
  return {
    avatar_url: shownAvatarUrl(directory, user),
    avatar_url_medium: mediumAvatarUrl(directory, user),
    avatar_source: avatarSource(user),
    avatar_version: user.avatarVersion,
  };
}

/** Sends a new address to those who may see it; to others nothing changes. */
export function addressEvents(user: User, directory: Directory): readonly AddressedEvent[] {
  return [
    ...(isShownToEveryone(directory, user) ? shownAddressEvents(user, directory) : []),
    {
      ...personEvent(user, { delivery_email: user.email }),
      to: (viewer) => deliveryEmail(directory, user, viewer) !== null,
    },
  ];
}

/**
 * Sends an address to those who may see it now and could not before, and its removal to those who could.
 *
 * @param before who could see the address until now
 */
export function visibilityEvents(
  user: User,
  before: EmailVisibility,
  directory: Directory,
): readonly AddressedEvent[] {
  const now = directory.settings.value(user.id, 'email_address_visibility');
  const sees = (viewer: User): boolean => seesEmail(viewer, user, now);
  const saw = (viewer: User): boolean => seesEmail(viewer, user, before);
  const isReplaced = isPublic(before) !== isPublic(now);
  return [
    ...(isReplaced ? shownAddressEvents(user, directory) : []),
    {
      ...personEvent(user, { delivery_email: user.email }),
      to: (viewer) => sees(viewer) && !saw(viewer),
    },
    { ...personEvent(user, { delivery_email: null }), to: (viewer) => saw(viewer) && !sees(viewer) },
  ];
}

/** Tells an account whose role changed the addresses that it may see from now on, and removes those that it may not see any more. */
export function seenAddressEvents(
  before: User,
  after: User,
  { directory }: Snapshot,
): readonly AddressedEvent[] {
  return [...directory.users()].flatMap((user) => {
    const email = deliveryEmail(directory, user, after);
    if (email === deliveryEmail(directory, user, before)) return [];
    return [{ ...personEvent(user, { delivery_email: email }), to: [after.id] }];
  });
}

/** The address that everyone gets and, if the account has no picture of its own, the one that derives from it. */
function shownAddressEvents(user: User, directory: Directory): readonly AddressedEvent[] {
  return [
    personEvent(user, { new_email: apiEmail(directory, user) }),
    ...(user.avatar === null ? [personEvent(user, avatarFields(user, directory))] : []),
  ];
}

/** Administrators see who consents to the export of private data; bots cannot consent. */
export function consentEvents({ id, bot }: User, consented: boolean): readonly AddressedEvent[] {
  if (bot !== null) return [];
  return [{ to: isAdministrator, event: { type: 'realm_export_consent', user_id: id, consented } }];
}

/**
 * Permissions show a person only while the account is active: after a deactivation or reactivation, clients
 * get the new values of the permissions that name the person.
 */
export function namedPersonEvents(snapshot: Snapshot, userId: number): readonly AddressedEvent[] {
  const { directory } = snapshot;
  const channels = [...directory.channels()].flatMap((channel) =>
    permissionChanges(snapshot, channel, namesOf(channel.permissions, userId)).flatMap((change) =>
      channelChanged(channel.id, snapshot, change),
    ),
  );
  const groups = [...directory.groups()].flatMap(({ id, permissions }) => {
    const shown = Object.entries(shownPermissions(directory, permissions));
    const names = namesOf(permissions, userId);
    if (names.length === 0) return [];
    return [groupChanged(snapshot, id, Object.fromEntries(shown.filter(([name]) => names.includes(name))))];
  });
  const organization = namesOf(directory.organization?.permissions ?? {}, userId);
  return [...channels, ...groups, ...permissionEvents(snapshot, organization)];
}

/** Names of the permissions that name the person directly. */
function namesOf(permissions: Readonly<Record<string, GroupSetting>>, userId: number): string[] {
  return Object.entries(permissions)
    .filter(([, setting]) => typeof setting !== 'number' && setting.direct_members.includes(userId))
    .map(([name]) => name);
}

/**
 * The client event for an account that clients may know of from now on. Viewers who see the same fields get
 * the same object, because there may be thousands of them.
 */
export function additionEvent(user: User, { directory }: Snapshot): (receiver: Receiver) => ClientEvent {
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

/**
 * The client event for a new account, which is in no channel and has no conversations. Viewers who may not
 * know it yet get a placeholder if their client wants the complete list of people, else nothing.
 */
export function registrationEvent(
  user: User,
  snapshot: Snapshot,
): (receiver: Receiver) => ClientEvent | null {
  const whole = additionEvent(user, snapshot);
  const person = unknownUserObject(user.id, { includeProfile: true });
  const placeholder: ClientEvent = { type: 'realm_user', op: 'add', person };
  return (receiver) => {
    const acquainted = { viewer: receiver.user, conversations: DirectConversations.none };
    if (mayKnow(snapshot, acquainted, user)) return whole(receiver);
    return receiver.options.capabilities.user_list_incomplete ? null : placeholder;
  };
}

/** The client event for an account that a client may no longer know of. */
export function removalEvent({ id }: User): ClientEvent {
  return { type: 'realm_user', op: 'remove', person: { user_id: id, full_name: UNKNOWN_NAME } };
}
