import type { AccountLinkEvent } from '../../events/account-links.js';
import type { ExternalSignInEvent } from '../../events/external-sign-in.js';
import type { InvitationEvent } from '../../events/invitations.js';
import type { ProfileFieldEvent } from '../../events/profile-fields.js';
import type { DeviceEvent } from '../../events/devices.js';
import type { SecondFactorEvent } from '../../events/second-factor.js';
import type { StatusEvent } from '../../events/statuses.js';
import type { UserEvent } from '../../events/users.js';
import type { UserGroupEvent } from '../../events/user-groups.js';
import type { Sentences } from './teller.js';
import { counted, listed, plain, quoted, timeOf } from './wording.js';

/** Accounts. */
export const userSentences: Sentences<UserEvent> = {
  UserRegistered: ({ userId, role, bot, email }, told) => {
    const what = bot === null ? told.role(role) : `a bot of ${told.person(bot.ownerId)}`;
    return `${told.actor} made the account ${told.person(userId)}, ${what}${email === '' ? '' : `, with the address ${plain(email)}`}.`;
  },
  UserFirstLoggedIn: ({ userId }, told) => `${told.person(userId)} logged in for the first time.`,
  UserRenamed: ({ userId, fullName }, told) =>
    `${told.actor} gave ${told.account(userId)} the name ${quoted(fullName)}.`,
  UserEmailChanged: ({ userId, email, previousEmail }, told) =>
    `${told.actor} changed the address of ${told.account(userId)} from ${quoted(previousEmail)} to ${quoted(email)}.`,
  UserAvatarChanged: ({ userId }, told) => `${told.actor} gave ${told.account(userId)} another picture.`,
  UserAvatarRemoved: ({ userId }, told) => `${told.actor} took the picture of ${told.account(userId)} away.`,
  UserPasswordChanged: ({ userId }, told) => `${told.person(userId)} set another password.`,
  UserRoleChanged: ({ userId, role, previousRole }, told) => {
    const before = previousRole === null ? '' : `, who was ${told.role(previousRole)} until then`;
    return `${told.actor} made ${told.person(userId)} ${told.role(role)}${before}.`;
  },
  BotOwnerChanged: ({ userId, ownerId }, told) =>
    `${told.actor} gave the bot ${told.person(userId)} to ${told.person(ownerId)}.`,
  BotDefaultsChanged: ({ userId, sendingChannelId, registeringChannelId, allPublicChannels }, told) => {
    const to = sendingChannelId === null ? 'nowhere' : told.channel(sendingChannelId);
    const of =
      registeringChannelId === null ? 'every channel of its own' : told.channel(registeringChannelId);
    return `${told.actor} let the bot ${told.person(userId)} send to ${to} and be told of ${allPublicChannels ? 'all public channels' : of}, where it does not say itself.`;
  },
  BotServiceChanged: ({ userId, baseUrl }, told) =>
    `${told.actor} chose where requests of the bot ${told.person(userId)} go: ${baseUrl === '' ? 'nowhere' : `“${baseUrl}”`}.`,
  UserDeactivated: ({ userId }, told) => `${told.actor} deactivated ${told.account(userId)}.`,
  UserDeletionRequested: ({ userId, profile, ...messages }, told) => {
    const kinds = [
      ...(profile ? ['the profile'] : []),
      ...(messages.publicChannelMessages ? ['messages in public channels'] : []),
      ...(messages.privateChannelMessages ? ['messages in private channels'] : []),
      ...(messages.directMessages ? ['direct messages'] : []),
    ];
    return `${told.actor} wanted deleted of ${told.person(userId)}: ${listed(kinds, 'nothing')}.`;
  },
  UserDeactivationNoticeRequested: ({ userId, comment }, told) =>
    `${told.actor} wanted ${told.person(userId)} to be told of that by e-mail${comment === '' ? '' : `: “${comment}”`}.`,
  UserReactivated: ({ userId }, told) => `${told.actor} reactivated ${told.account(userId)}.`,
  ApiKeyRegenerated: ({ userId }, told) =>
    `${told.actor} revoked every API key of ${told.account(userId)} and issued a new one.`,
  ApiKeyRevoked: ({ userId, client }, told) =>
    `${told.actor} revoked an API key of ${told.account(userId)}${client === null ? '' : `, which ${quoted(client)} had`}.`,
  ProfileDataChanged: ({ userId, values }, told) =>
    `${told.actor} filled in the profile of ${told.account(userId)}: ${listed(
      values.map(
        ({ fieldId, value }) => `${told.field(fieldId)} ${value === null ? 'cleared' : quoted(value)}`,
      ),
    )}.`,
};

/** What people ask for by links that are mailed to them. */
export const accountLinkSentences: Sentences<AccountLinkEvent> = {
  EmailChangeRequested: ({ userId, email }, told) =>
    `${told.person(userId)} wants the address ${quoted(email)}, and is to confirm it.`,
  PasswordResetRequested: ({ userId }, told) =>
    `Somebody asked for a link to set another password for ${told.person(userId)}.`,
};

/** How people sign in by a provider outside. */
export const externalSignInSentences: Sentences<ExternalSignInEvent> = {
  ExternalIdentityLinked: ({ userId, issuer, isRegistration }, told) =>
    isRegistration
      ? `${told.person(userId)} was registered by signing in with ${quoted(issuer)}.`
      : `${told.person(userId)} signed in with ${quoted(issuer)} for the first time, or by another identity than before.`,
};

/** What people log in with beside their password. */
export const secondFactorSentences: Sentences<SecondFactorEvent> = {
  SecondFactorEnabled: ({ userId }, told) => `${told.person(userId)} set up a second factor.`,
  SecondFactorDisabled: ({ userId }, told) => `${told.person(userId)} took their second factor away.`,
  SecondFactorRevoked: ({ userId }, told) =>
    `${told.actor} took the second factor of ${told.person(userId)} away.`,
  RecoveryCodeUsed: ({ userId, left }, told) =>
    `${told.person(userId)} used a recovery code of their second factor, and has ${left} left.`,
};

/** What profiles consist of. */
export const profileFieldSentences: Sentences<ProfileFieldEvent> = {
  ProfileFieldCreated: ({ fieldId }, told) => `${told.actor} added the profile field ${told.field(fieldId)}.`,
  ProfileFieldChanged: ({ fieldId, name }, told) =>
    `${told.actor} changed the profile field ${told.field(fieldId)}, now ${quoted(name)}.`,
  ProfileFieldsReordered: ({ fieldIds }, told) =>
    `${told.actor} put the profile fields into the order ${listed(fieldIds.map((id) => told.field(id)))}.`,
  ProfileFieldDeleted: ({ fieldId }, told) =>
    `${told.actor} removed the profile field ${told.field(fieldId)} and what people had written in it.`,
};

/** What people say that they are about. */
export const statusSentences: Sentences<StatusEvent> = {
  UserStatusChanged: ({ userId, text, emoji }, told) => {
    const words = text === null ? [] : [text === '' ? 'no words' : quoted(text)];
    const sign = emoji === null ? [] : [emoji === 'none' ? 'no emoji' : `:${plain(emoji.name)}:`];
    return `${told.person(userId)} set their status to ${listed([...words, ...sign])}.`;
  },
};

/** User groups. */
export const userGroupSentences: Sentences<UserGroupEvent> = {
  UserGroupCreated: ({ groupId, memberIds, isSystem }, told) =>
    `${told.actor} created the ${isSystem ? 'system' : 'user'} group ${told.group(groupId)} with ${counted(memberIds.length, 'member')}.`,
  UserGroupMembersChanged: ({ groupId, added, removed }, told) =>
    `${told.actor} added ${told.people(added)} to the group ${told.group(groupId)} and removed ${told.people(removed)}.`,
  UserGroupSubgroupsChanged: ({ groupId, added, removed }, told) =>
    `${told.actor} made ${told.groups(added)} part of the group ${told.group(groupId)}, and ${told.groups(removed)} no longer.`,
  UserGroupRenamed: ({ groupId, name }, told) =>
    `${told.actor} gave the group ${told.group(groupId)} the name ${quoted(name)}.`,
  UserGroupDescriptionChanged: ({ groupId, description }, told) =>
    `${told.actor} described the group ${told.group(groupId)} as ${quoted(description)}.`,
  UserGroupPermissionsChanged: ({ groupId, permissions, previousPermissions }, told) =>
    `${told.actor} changed who may do what with the group ${told.group(groupId)}: ${told.grants(permissions, previousPermissions)}.`,
  UserGroupDeactivated: ({ groupId }, told) => `${told.actor} deactivated the group ${told.group(groupId)}.`,
  UserGroupReactivated: ({ groupId }, told) => `${told.actor} reactivated the group ${told.group(groupId)}.`,
};

const until = (seconds: number | null): string =>
  seconds === null ? 'for ever' : `until ${timeOf(seconds * 1_000)}`;

/** How people join. */
export const invitationSentences: Sentences<InvitationEvent> = {
  InvitationSent: ({ invitationId, email, inviterId, linkId, terms, expiresAt }, told) => {
    const whom = email === '' ? 'somebody' : quoted(email);
    const what = `invitation ${invitationId}, good ${until(expiresAt)}`;
    if (linkId !== null) return `${whom} asked to join by link ${linkId}: ${what}.`;
    if (inviterId === null) return `${whom} asked to join: ${what}.`;
    return `${told.person(inviterId)} invited ${whom} as ${told.role(terms.role)}: ${what}.`;
  },
  InvitationLinkCreated: ({ invitationId, inviterId, terms, expiresAt }, told) =>
    `${told.person(inviterId)} made a link to join as ${told.role(terms.role)}: invitation ${invitationId}, good ${until(expiresAt)}.`,
  InvitationRenewed: ({ invitationId, expiresAt }, told) =>
    `${told.actor} sent invitation ${invitationId} again, good ${until(expiresAt)}.`,
  InvitationRevoked: ({ invitationId }, told) => `${told.actor} took invitation ${invitationId} back.`,
  InvitationAccepted: ({ invitationId, userId }, told) =>
    `${told.person(userId)} joined by invitation ${invitationId}.`,
};

/** Devices that notifications are sent to. */
export const deviceSentences: Sentences<DeviceEvent> = {
  DeviceRegistered: ({ deviceId, userId }, told) => `${told.person(userId)} registered device ${deviceId}.`,
  DevicePushEnabled: ({ deviceId, userId }, told) =>
    `Notifications for ${told.person(userId)} can be sent to device ${deviceId}.`,
  DevicePushKeyChanged: ({ deviceId, userId }, told) =>
    `Notifications for ${told.person(userId)} on device ${deviceId} are encrypted with another key from now on.`,
  DevicePushDisabled: ({ deviceId, userId }, told) =>
    `Notifications for ${told.person(userId)} can no longer be sent to device ${deviceId}.`,
  DeviceTokenAdded: ({ deviceId, userId, tokenKind }, told) =>
    `${told.person(userId)} made the ${tokenKind === 'apns' ? 'APNs' : 'FCM'} token of device ${deviceId} known.`,
  DeviceTokenRemoved: ({ deviceId, userId }, told) =>
    `The token of device ${deviceId} of ${told.person(userId)} was forgotten.`,
  DeviceRemoved: ({ deviceId, userId }, told) => `${told.person(userId)} removed device ${deviceId}.`,
};
