import { badRequest, badRequestAbout, badRequestOf, row } from './error-row.js';

/** Errors of accounts, profiles and user groups. */
export const peopleErrors = {
  noSuchUser: badRequest('No such user'),
  noSuchBot: badRequest('No such bot'),
  botRequired: row('PERMISSION_DENIED', 400, 'This endpoint is for bots only.'),
  noSuchApiKey: badRequest('No such API key'),
  deactivationCommentTooLong: badRequest(
    'deactivation_notification_comment is too long (limit: 2000 characters)',
  ),
  alreadyDeactivated: badRequest('User is already deactivated'),
  deletedForGood: badRequest('This account was deleted and cannot be reactivated.'),
  /** Also for a write about the person, or to the text, whose key was destroyed. */
  alreadyErased: badRequest('This was erased and can no longer be changed.'),
  cannotDeactivateLastUser: row<{ is_last_owner: boolean; entity: string }>(
    'CANNOT_DEACTIVATE_LAST_USER',
    400,
    (fields) => `Cannot deactivate the only ${fields.entity}.`,
  ),
  onlyOwnerStays: badRequest('The only organization owner cannot be deactivated.'),
  onlyOwnerKeepsRole: badRequest('The owner permission cannot be removed from the only organization owner.'),
  invalidRole: badRequest('Invalid role'),
  invalidBotType: badRequest('Invalid bot type'),
  tooManyBots: badRequest('This person has too many bots.'),
  botNameTaken: badRequest('Name is already in use!'),
  invalidBotOwner: badRequest('Invalid owner: no such user, deactivated, or a bot'),
  emailTaken: badRequest('Email is already in use'),
  emailInvalid: badRequest('Enter a valid email address.'),
  nameTooShort: badRequest('Name too short!'),
  nameTooLong: badRequest('Name too long!'),
  nameInvalid: badRequest('Invalid characters in name!'),
  statusUnchanged: badRequest('Client did not pass any new values.'),
  statusTooLong: badRequest('status_text is too long (limit: 60 characters)'),
  emojiNameRequired: badRequest(
    'Client must pass emoji_name if they pass either emoji_code or reaction_type.',
  ),
  avatarChangesDisabled: badRequest('Avatar changes are disabled in this organization.'),
  nameTaken: badRequest('Unique names required in this organization.'),
  wrongPassword: badRequest('Wrong password!'),
  emailChangesDisabled: badRequest('Email address changes are disabled in this organization.'),
  linkInvalid: badRequest('This link has expired, was used already, or was never valid.'),
  secondFactorRequired: row(
    'SECOND_FACTOR_REQUIRED',
    401,
    'This account has a second factor: send a code of your authenticator app, or a recovery code, as well.',
  ),
  secondFactorWrong: row(
    'SECOND_FACTOR_WRONG',
    401,
    'This code is wrong, no longer good, or was used already.',
  ),
  secondFactorEnabled: badRequest('This account has a second factor already.'),
  secondFactorNotBegun: badRequest('No second factor waits to be confirmed: begin again.'),
  noSecondFactor: badRequest('This account has no second factor.'),
  ownSecondFactor: badRequest('Take your own second factor away by a code of it.'),
  externalSignInNotConfigured: badRequest('Nobody signs people in beside this server (OIDC_ISSUER).'),
  externalProviderUnavailable: row(
    'SERVICE_UNAVAILABLE',
    503,
    'The sign-in provider does not answer as it should. Try again in a while, or tell your administrators.',
  ),
  externalSignInFailed: row(
    'AUTHENTICATION_FAILED',
    401,
    'The sign-in provider did not sign you in. Begin again.',
  ),
  externalSignInExpired: row(
    'AUTHENTICATION_FAILED',
    401,
    'This sign-in took too long, was finished already, or was begun in another browser. Begin again.',
  ),
  externalEmailUnverified: row(
    'AUTHENTICATION_FAILED',
    401,
    'The sign-in provider does not say that it has verified your e-mail address.',
  ),
  externalDomainNotRegistered: row(
    'AUTHENTICATION_FAILED',
    401,
    'There is no account with your e-mail address, and its domain is not one whose people get one by signing in. Ask for an invitation.',
  ),
  mobileFlowOtpInvalid: badRequest('mobile_flow_otp must be 64 hexadecimal digits'),
  passwordTooShort: badRequest('The password is too short (6 characters at least).'),
  passwordTooWeak: badRequest(
    'The password is too weak: take several words that do not belong together, or a longer one.',
  ),
  passwordTooLong: badRequest('The password is too long (100 characters at most).'),
  noSuchProfileField: badRequestAbout((reason) => `Field id ${reason} not found.`),
  invalidFieldData: badRequestAbout((reason) => `Invalid field_data: ${reason}`),
  invalidFieldType: badRequest('Invalid field type.'),
  invalidFieldOrder: badRequest('Invalid order mapping.'),
  profileFieldNameTaken: badRequest('A field with that label already exists.'),
  tooManyProfileFields: badRequest('The profiles cannot have more fields.'),
  summaryFull: badRequestAbout(
    (reason) => `Only ${reason} custom profile fields can be displayed in the profile summary.`,
  ),
  summaryUnsupported: badRequest('Field type not supported for display in profile summary.'),
  matchingUnsupported: badRequest('Field type not supported for user matching.'),
  knownAccountFixed: badRequest('Default custom field cannot be updated.'),
  profileFieldNotEditable: badRequest(
    'You are not allowed to change this field. Contact an administrator to update it.',
  ),
  invalidUserGroup: badRequest('Invalid user group'),
  tooManyUserGroups: badRequest('The organization has too many user groups.'),
  tooManyGroupMembers: badRequest('The group, or all groups together, would have too many members.'),
  tooManySubgroups: badRequest('The group, or all groups together, would have too many subgroups.'),
  userGroupNameTaken: badRequestAbout((reason) => `User group '${reason}' already exists.`),
  userGroupNameEmpty: badRequest("User group name can't be empty!"),
  userGroupNameTooLong: badRequest('User group name cannot exceed 100 characters.'),
  userGroupNameInvalid: badRequest('User group name cannot start with this prefix.'),
  alreadyInUserGroup: badRequestAbout((reason) => `User ${reason} is already a member of this group`),
  notInUserGroup: badRequestAbout((reason) => `There is no member '${reason}' in this user group`),
  userGroupDeactivated: badRequest('User group is deactivated.'),
  alreadySubgroup: badRequestAbout((reason) => `User group ${reason} is already a subgroup of this group.`),
  notSubgroup: badRequestAbout((reason) => `User group ${reason} is not a subgroup of this group.`),
  subgroupCycle: badRequestAbout(
    (reason) => `User group ${reason} is already a subgroup of one of the passed subgroups.`,
  ),
  cannotDeactivateGroupInUse: row<{ objections: readonly object[] }>(
    'CANNOT_DEACTIVATE_GROUP_IN_USE',
    400,
    'Cannot deactivate user group in use.',
  ),
  noNewData: badRequest('No new data supplied'),
  nothingToDo: badRequest('Nothing to do. Specify at least one of "add" and "delete".'),
  invalidUserInField: badRequestAbout((id) => `Invalid user ID: ${id}`),
  deactivatedUserInField: badRequestAbout((id) => `User with ID ${id} is deactivated`),
  botInField: badRequestAbout((id) => `User with ID ${id} is a bot`),
  /** A profile field has an invalid value. */
  invalidFieldValue: badRequestOf<{ name: string; fault: string }>(({ name, fault }) => `${name} ${fault}`),
  botsHaveNoPresence: badRequest('Presence is not supported for bot users.'),
  noPresence: badRequestAbout((whom) => `No presence data for ${whom}`),
  invalidServiceUrl: badRequest('payload_url is not a valid http or https URL'),
  invalidServiceInterface: badRequest('Invalid interface type'),
} as const;

export const invitationErrors = {
  invalidMailSender: badRequest('Invalid sender'),
  noAddresses: badRequest('You must specify at least one email address.'),
  noInvitationsForChannel: badRequestAbout((reason) => `Invalid channel ID ${reason}. No invites were sent.`),
  mayNotSubscribeOthers: badRequest('You do not have permission to subscribe other users to channels.'),
  welcomeTextRequired: badRequest('welcome_message_custom_text may not be empty'),
  welcomeTextTooLong: badRequest('welcome_message_custom_text is too long (limit: 8000 characters)'),
  invalidValidity: badRequest("Bad value for 'invite_expires_in_minutes'"),
  noSuchInvitation: badRequest('No such invitation'),
  tooManyInvitationLinks: badRequest('You have too many invitation links. Revoke some first.'),
  tooManyInvitations: badRequest('Too many invitations were sent today.'),
  /** The same for an invitation that was used, revoked or expired, and for one that never existed. */
  invitationInvalid: badRequest('This invitation link is not valid, or not any more.'),
  invitationRequired: badRequest('You need an invitation to join this organization.'),
  invitationFailed: row<{
    reason: string;
    /** E-mail address, reason, and whether its account is deactivated. */
    errors: readonly (readonly [string, string, boolean])[];
    sent_invitations: boolean;
    daily_limit_reached: boolean;
    license_limit_reached: boolean;
  }>('INVITATION_FAILED', 400, (fields) => fields.reason),
  tooManyAddressesAtOnce: badRequestAbout((limit) => `Too many addresses in one request (limit: ${limit}).`),
} as const;
