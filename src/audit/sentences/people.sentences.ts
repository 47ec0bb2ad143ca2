import type { AccountLinkEvent } from '../../events/account-links.js';
import type { ExternalSignInEvent } from '../../events/external-sign-in.js';
import type { InvitationEvent } from '../../events/invitations.js';
import type { ProfileFieldEvent } from '../../events/profile-fields.js';
import type { DeviceEvent } from '../../events/devices.js';
import type { SecondFactorEvent } from '../../events/second-factor.js';
import type { StatusEvent } from '../../events/statuses.js';
import type { UserEvent } from '../../events/users.js';
import type { UserGroupEvent } from '../../events/user-groups.js';
import type { Sentences, SentenceTable } from './event-formatter.js';
import { counted, listed, plain, quoted, timeOf } from './wording.js';

const userSentences: Sentences<UserEvent> = {
  UserRegistered: ({ userId, role, bot, email }, format) => {
    const what = bot === null ? format.role(role) : `a bot of ${format.person(bot.ownerId)}`;
    return `${format.actor} made the account ${format.person(userId)}, ${what}${email === '' ? '' : `, with the address ${plain(email)}`}.`;
  },
  UserFirstLoggedIn: ({ userId }, format) => `${format.person(userId)} logged in for the first time.`,
  UserRenamed: ({ userId, fullName }, format) =>
    `${format.actor} gave ${format.account(userId)} the name ${quoted(fullName)}.`,
  UserEmailChanged: ({ userId, email, previousEmail }, format) =>
    `${format.actor} changed the address of ${format.account(userId)} from ${quoted(previousEmail)} to ${quoted(email)}.`,
  UserAvatarChanged: ({ userId }, format) =>
    `${format.actor} gave ${format.account(userId)} another picture.`,
  UserAvatarRemoved: ({ userId }, format) =>
    `${format.actor} removed the picture of ${format.account(userId)}.`,
  UserPasswordChanged: ({ userId }, format) => `${format.person(userId)} set another password.`,
  UserRoleChanged: ({ userId, role, previousRole }, format) => {
    const before = previousRole === null ? '' : `, who was ${format.role(previousRole)} until then`;
    return `${format.actor} made ${format.person(userId)} ${format.role(role)}${before}.`;
  },
  BotOwnerChanged: ({ userId, ownerId }, format) =>
    `${format.actor} gave the bot ${format.person(userId)} to ${format.person(ownerId)}.`,
  BotDefaultsChanged: ({ userId, sendingChannelId, registeringChannelId, allPublicChannels }, format) => {
    const to = sendingChannelId === null ? 'no channel' : format.channel(sendingChannelId);
    const of =
      registeringChannelId === null
        ? 'the channels that it is subscribed to'
        : format.channel(registeringChannelId);
    return `${format.actor} set the defaults of the bot ${format.person(userId)}: it sends to ${to} and gets the events of ${allPublicChannels ? 'all public channels' : of}.`;
  },
  BotServiceChanged: ({ userId, baseUrl }, format) =>
    `${format.actor} set the URL to which messages for the bot ${format.person(userId)} are posted: ${baseUrl === '' ? 'none' : `“${baseUrl}”`}.`,
  UserDeactivated: ({ userId }, format) => `${format.actor} deactivated ${format.account(userId)}.`,
  UserDeletionRequested: ({ userId, profile, ...messages }, format) => {
    const kinds = [
      ...(profile ? ['the profile'] : []),
      ...(messages.publicChannelMessages ? ['messages in public channels'] : []),
      ...(messages.privateChannelMessages ? ['messages in private channels'] : []),
      ...(messages.directMessages ? ['direct messages'] : []),
    ];
    return `${format.actor} requested the deletion of what ${format.person(userId)} left: ${listed(kinds, 'nothing')}.`;
  },
  UserDeactivationNoticeRequested: ({ userId, comment }, format) =>
    `${format.actor} had ${format.person(userId)} notified of that by e-mail${comment === '' ? '' : `: “${comment}”`}.`,
  UserReactivated: ({ userId }, format) => `${format.actor} reactivated ${format.account(userId)}.`,
  ApiKeyRegenerated: ({ userId }, format) =>
    `${format.actor} revoked every API key of ${format.account(userId)} and issued a new one.`,
  ApiKeyRevoked: ({ userId, client }, format) =>
    `${format.actor} revoked an API key of ${format.account(userId)}${client === null ? '' : `, which ${quoted(client)} had`}.`,
  ProfileDataChanged: ({ userId, values }, format) =>
    `${format.actor} filled in the profile of ${format.account(userId)}: ${listed(
      values.map(
        ({ fieldId, value }) => `${format.field(fieldId)} ${value === null ? 'cleared' : quoted(value)}`,
      ),
    )}.`,
};

/** Requests that are confirmed by links in e-mails. */
const accountLinkSentences: Sentences<AccountLinkEvent> = {
  EmailChangeRequested: ({ userId, email }, format) =>
    `${format.person(userId)} requested the address ${quoted(email)}, which they must confirm.`,
  PasswordResetRequested: ({ userId }, format) =>
    `Somebody asked for a link to set another password for ${format.person(userId)}.`,
};

/** Sign-in by external providers. */
const externalSignInSentences: Sentences<ExternalSignInEvent> = {
  ExternalIdentityLinked: ({ userId, issuer, isRegistration }, format) =>
    isRegistration
      ? `${format.person(userId)} was registered by signing in with ${quoted(issuer)}.`
      : `${format.person(userId)} signed in with ${quoted(issuer)} for the first time, or by another identity than before.`,
};

const secondFactorSentences: Sentences<SecondFactorEvent> = {
  SecondFactorEnabled: ({ userId }, format) => `${format.person(userId)} set up a second factor.`,
  SecondFactorDisabled: ({ userId }, format) => `${format.person(userId)} disabled their second factor.`,
  SecondFactorRevoked: ({ userId }, format) =>
    `${format.actor} disabled the second factor of ${format.person(userId)}.`,
  RecoveryCodeUsed: ({ userId, left }, format) =>
    `${format.person(userId)} used a recovery code of their second factor, and has ${left} left.`,
};

const profileFieldSentences: Sentences<ProfileFieldEvent> = {
  ProfileFieldCreated: ({ fieldId }, format) =>
    `${format.actor} added the profile field ${format.field(fieldId)}.`,
  ProfileFieldChanged: ({ fieldId, name }, format) =>
    `${format.actor} changed the profile field ${format.field(fieldId)}, now ${quoted(name)}.`,
  ProfileFieldsReordered: ({ fieldIds }, format) =>
    `${format.actor} put the profile fields into the order ${listed(fieldIds.map((id) => format.field(id)))}.`,
  ProfileFieldDeleted: ({ fieldId }, format) =>
    `${format.actor} removed the profile field ${format.field(fieldId)} and what people had written in it.`,
};

const statusSentences: Sentences<StatusEvent> = {
  UserStatusChanged: ({ userId, text, emoji }, format) => {
    const words = text === null ? [] : [text === '' ? 'no words' : quoted(text)];
    const sign = emoji === null ? [] : [emoji === 'none' ? 'no emoji' : `:${plain(emoji.name)}:`];
    return `${format.actor} set ${format.their('status', userId)} to ${listed([...words, ...sign])}.`;
  },
};

const userGroupSentences: Sentences<UserGroupEvent> = {
  UserGroupCreated: ({ groupId, memberIds, isSystem }, format) =>
    `${format.actor} created the ${isSystem ? 'system' : 'user'} group ${format.group(groupId)} with ${counted(memberIds.length, 'member')}.`,
  UserGroupMembersChanged: ({ groupId, added, removed }, format) => {
    const group = `the group ${format.group(groupId)}`;
    if (removed.length === 0) return `${format.actor} added ${format.people(added)} to ${group}.`;
    if (added.length === 0) return `${format.actor} removed ${format.people(removed)} from ${group}.`;
    return `${format.actor} added ${format.people(added)} to ${group} and removed ${format.people(removed)}.`;
  },
  UserGroupSubgroupsChanged: ({ groupId, added, removed }, format) => {
    const group = `the group ${format.group(groupId)}`;
    if (removed.length === 0) return `${format.actor} made ${format.groups(added)} part of ${group}.`;
    if (added.length === 0) return `${format.actor} removed ${format.groups(removed)} from ${group}.`;
    return `${format.actor} made ${format.groups(added)} part of ${group} and removed ${format.groups(removed)}.`;
  },
  UserGroupRenamed: ({ groupId, name }, format) =>
    `${format.actor} gave the group ${format.group(groupId)} the name ${quoted(name)}.`,
  UserGroupDescriptionChanged: ({ groupId, description }, format) =>
    `${format.actor} described the group ${format.group(groupId)} as ${quoted(description)}.`,
  UserGroupPermissionsChanged: ({ groupId, permissions, previousPermissions }, format) =>
    `${format.actor} changed who may do what with the group ${format.group(groupId)}: ${format.grants(permissions, previousPermissions)}.`,
  UserGroupDeactivated: ({ groupId }, format) =>
    `${format.actor} deactivated the group ${format.group(groupId)}.`,
  UserGroupReactivated: ({ groupId }, format) =>
    `${format.actor} reactivated the group ${format.group(groupId)}.`,
};

const until = (seconds: number | null): string =>
  seconds === null ? 'for ever' : `until ${timeOf(seconds * 1_000)}`;

const invitationSentences: Sentences<InvitationEvent> = {
  InvitationSent: ({ invitationId, email, inviterId, linkId, terms, expiresAt }, format) => {
    const whom = email === '' ? 'somebody' : quoted(email);
    const what = `invitation ${invitationId}, good ${until(expiresAt)}`;
    if (linkId !== null) return `${whom} asked to join by link ${linkId}: ${what}.`;
    if (inviterId === null) return `${whom} asked to join: ${what}.`;
    return `${format.person(inviterId)} invited ${whom} as ${format.role(terms.role)}: ${what}.`;
  },
  InvitationLinkCreated: ({ invitationId, inviterId, terms, expiresAt }, format) =>
    `${format.person(inviterId)} made a link to join as ${format.role(terms.role)}: invitation ${invitationId}, good ${until(expiresAt)}.`,
  InvitationRenewed: ({ invitationId, expiresAt }, format) =>
    `${format.actor} sent invitation ${invitationId} again, good ${until(expiresAt)}.`,
  InvitationRevoked: ({ invitationId }, format) => `${format.actor} revoked invitation ${invitationId}.`,
  InvitationAccepted: ({ invitationId, userId }, format) =>
    `${format.person(userId)} joined by invitation ${invitationId}.`,
};

const deviceSentences: Sentences<DeviceEvent> = {
  DeviceRegistered: ({ deviceId, userId }, format) =>
    `${format.person(userId)} registered device ${deviceId}.`,
  DevicePushEnabled: ({ deviceId, userId }, format) =>
    `Notifications for ${format.person(userId)} can be sent to device ${deviceId}.`,
  DevicePushKeyChanged: ({ deviceId, userId }, format) =>
    `Notifications for ${format.person(userId)} on device ${deviceId} are encrypted with another key from now on.`,
  DevicePushDisabled: ({ deviceId, userId }, format) =>
    `Notifications for ${format.person(userId)} can no longer be sent to device ${deviceId}.`,
  DeviceTokenAdded: ({ deviceId, userId, tokenKind }, format) =>
    `${format.person(userId)} registered the ${tokenKind === 'apns' ? 'APNs' : 'FCM'} token of device ${deviceId}.`,
  DeviceTokenRemoved: ({ deviceId, userId }, format) =>
    `The token of device ${deviceId} of ${format.person(userId)} was removed.`,
  DeviceRemoved: ({ deviceId, userId }, format) => `${format.person(userId)} removed device ${deviceId}.`,
};

/** The tables of this file. */
export const peopleTables: readonly SentenceTable[] = [
  userSentences,
  accountLinkSentences,
  externalSignInSentences,
  secondFactorSentences,
  profileFieldSentences,
  statusSentences,
  userGroupSentences,
  invitationSentences,
  deviceSentences,
];
