/** Fields that an error reply carries beside `result`, `msg` and `code` (specification, "Errors"). */
export type ErrorFields = Readonly<Record<string, unknown>>;

interface ErrorRow<Fields extends ErrorFields> {
  /** The API's error code. */
  readonly code: string;
  /** HTTP status. */
  readonly status: number;
  readonly message: (fields: Fields) => string;
}

function row<Fields extends ErrorFields = Record<never, never>>(
  code: string,
  status: number,
  message: string | ((fields: Fields) => string),
): ErrorRow<Fields> {
  return { code, status, message: typeof message === 'string' ? () => message : message };
}

/** A BAD_REQUEST without further fields: the most common error of the API. */
function badRequest(message: string): ErrorRow<Record<never, never>> {
  return row('BAD_REQUEST', 400, message);
}

/** A BAD_REQUEST whose message is made from the `reason` that its thrower gives: a name, a number or a whole sentence. */
function badRequestAbout(message: (reason: string) => string): ErrorRow<{ reason: string }> {
  return row('BAD_REQUEST', 400, ({ reason }) => message(reason));
}

/** The table of every error that a client can be given. */
export const errorTable = {
  badRequest: badRequestAbout((reason) => reason),
  missingParameter: row<{ var_name: string }>(
    'REQUEST_VARIABLE_MISSING',
    400,
    (fields) => `Missing '${fields.var_name}' argument`,
  ),
  confusingParameter: row<{ var_name1: string; var_name2: string }>(
    'REQUEST_CONFUSING_VAR',
    400,
    (fields) => `Can't decide between '${fields.var_name1}' and '${fields.var_name2}' arguments`,
  ),
  invalidJson: row('INVALID_JSON', 400, 'Malformed JSON'),
  /** Where a parameter that is passed over would mislead. */
  unknownParameter: badRequestAbout((reason) => `Unknown argument '${reason}'`),
  unsupportedParameterCombination: row<{ parameters: string }>(
    'BAD_REQUEST',
    400,
    (fields) => `Unsupported parameter combination: ${fields.parameters}`,
  ),
  unauthorized: row<{ reason: string }>('UNAUTHORIZED', 401, (fields) => fields.reason),
  authenticationFailed: row('AUTHENTICATION_FAILED', 401, 'Your username or password is incorrect'),
  userDeactivated: row('USER_DEACTIVATED', 401, 'Account is deactivated'),
  webTokensNotConfigured: badRequest(
    'Logging in with JSON Web Tokens is not configured on this server (JWT_AUTH_KEY).',
  ),
  invalidWebToken: badRequestAbout((reason) => `Invalid JSON Web Token: ${reason}`),
  administratorRequired: row('UNAUTHORIZED_PRINCIPAL', 400, 'Must be an organization administrator'),
  ownerRequired: row('UNAUTHORIZED_PRINCIPAL', 400, 'Must be an organization owner'),
  insufficientPermission: badRequest('Insufficient permission'),
  rateLimitHit: row<{ 'retry-after': number }>('RATE_LIMIT_HIT', 429, 'API usage exceeded rate limit'),
  /** Of somebody who is being answered what was visible in the past. */
  alreadyLooking: row<{ 'retry-after': number }>(
    'RATE_LIMIT_HIT',
    429,
    'You are being shown the past already: wait until that is answered',
  ),
  notFound: row('NOT_FOUND', 404, 'Not found'),
  /** Of a query about the past. */
  notInLog: badRequestAbout((reason) => `The log does not keep ${reason}.`),
  /** The one error without a code; `allowed_methods` also stand in the `Allow` header. */
  methodNotAllowed: row<{ allowed_methods: readonly string[] }>('', 405, 'Method Not Allowed'),
  requestTooLarge: row('BAD_REQUEST', 413, 'Request is too large'),
  metricsForbidden: row('BAD_REQUEST', 403, 'Metrics are for this machine, or for whoever has METRICS_TOKEN'),
  badNarrow: row<{ desc: string }>('BAD_NARROW', 400, (fields) => `Invalid narrow operator: ${fields.desc}`),
  expectationMismatch: row<{ field_name: string }>(
    'EXPECTATION_MISMATCH',
    400,
    (fields) => `'${fields.field_name}' value does not match the expected value.`,
  ),
  badEventQueueId: row<{ queue_id: string }>(
    'BAD_EVENT_QUEUE_ID',
    400,
    // There are clients that know by these very words, to the letter, that they have to register again.
    (fields) => `Bad event queue id: ${fields.queue_id}`,
  ),
  internalError: row('INTERNAL_SERVER_ERROR', 500, 'Internal server error'),
  queryTimeout: row(
    'SERVICE_UNAVAILABLE',
    503,
    'This took too long and was ended; ask for less, or try again later',
  ),
  unavailable: row('SERVICE_UNAVAILABLE', 503, 'The server cannot take this request now; try again'),

  invalidMessage: badRequest('Invalid message(s)'),
  replyTooLarge: row<{ fitting: number }>(
    'BAD_REQUEST',
    400,
    ({ fitting }) => `These messages are too large for one reply: only the first ${fitting} fit.`,
  ),
  noModerationChannel: badRequest('Moderation requests are not enabled in this organization.'),
  deactivationCommentTooLong: badRequest(
    'deactivation_notification_comment is too long (limit: 2000 characters)',
  ),
  explanationTooLong: badRequest('description is too long (limit: 1000 characters)'),
  explanationRequired: badRequest('An explanation is required for this reason.'),
  unrenderableText: badRequest('Unable to render message'),
  unknownChannelName: row<{ stream: string }>(
    'STREAM_DOES_NOT_EXIST',
    400,
    (fields) => `Channel '${fields.stream}' does not exist`,
  ),
  unknownChannelId: row<{ stream_id: number }>(
    'STREAM_DOES_NOT_EXIST',
    400,
    (fields) => `Channel with ID '${fields.stream_id}' does not exist`,
  ),
  moveTimeLimitExceeded: row<{
    first_message_id_allowed_to_move: number | null;
    total_messages_in_topic: number;
    total_messages_allowed_to_move: number;
  }>(
    'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    400,
    ({ total_messages_in_topic: total, total_messages_allowed_to_move: allowed }) =>
      `You only have permission to move the ${allowed}/${total} most recent messages in this topic.`,
  ),
  channelWildcardNotAllowed: row(
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    400,
    'You do not have permission to use channel wildcard mentions in this channel.',
  ),
  topicWildcardNotAllowed: row(
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
    400,
    'You do not have permission to use topic wildcard mentions in this topic.',
  ),

  unknownEmoji: badRequestAbout((reason) => `Emoji '${reason}' does not exist`),
  invalidEmojiCode: badRequest('Invalid emoji code.'),
  invalidEmojiName: badRequest('Invalid emoji name.'),
  invalidCustomEmoji: badRequest('Invalid custom emoji.'),
  emojiRequired: badRequest('Either emoji_name or emoji_code is required'),
  reactionAlreadyExists: row('REACTION_ALREADY_EXISTS', 400, 'Reaction already exists.'),
  reactionDoesNotExist: row('REACTION_DOES_NOT_EXIST', 400, "Reaction doesn't exist."),
  noWidget: badRequest('You cannot attach a submessage to this message.'),
  widgetNotEditable: badRequest('Widgets cannot be edited.'),
  tooManyEdits: badRequest('This message cannot be edited any more.'),
  tooManySubmessages: badRequest('This message cannot hold more submessages.'),
  tooManyReactions: badRequest('This message cannot hold more reactions.'),

  tooManyAlertWords: badRequest('Too many alert words'),
  tooManyMutedPeople: badRequest('You have muted too many people.'),
  tooManyTopicPolicies: badRequest('You have set the visibility of too many topics.'),
  noSuchDraft: row('BAD_REQUEST', 404, 'Draft does not exist'),
  draftsNotKept: badRequest('User has disabled synchronizing drafts.'),
  tooManyDrafts: badRequest('You have too many drafts.'),
  noSuchReminder: row('BAD_REQUEST', 404, 'Reminder does not exist'),
  tooManyReminders: badRequest('You have too many reminders.'),
  reminderNoteTooLong: badRequest('note is too long (limit: 500 characters)'),
  noSuchScheduledMessage: row('BAD_REQUEST', 404, 'Scheduled message does not exist'),
  tooManyScheduledMessages: badRequest('You have too many scheduled messages.'),
  scheduledRecipientRequired: badRequest('Recipient required when updating type of scheduled message.'),
  scheduledTopicRequired: badRequest('Topic required when updating scheduled message type to channel.'),
  dueTimePassed: badRequest('Scheduled delivery time must be in the future.'),

  noSuchSavedSnippet: row('BAD_REQUEST', 404, 'Saved snippet does not exist.'),
  tooManySavedSnippets: badRequest('You have too many saved snippets.'),
  noSuchStorageKey: badRequest('Key does not exist.'),
  botStorageFull: badRequest('Request exceeds storage limit.'),
  noSuchNavigationView: row('NOT_FOUND', 404, 'Navigation view does not exist.'),
  navigationViewExists: badRequest('Navigation view already exists.'),
  navigationViewNameTaken: badRequest('A navigation view with this name already exists.'),
  builtInViewNamed: badRequest('Built-in views cannot have a custom name.'),
  customViewUnnamed: badRequest('Custom views must have a name.'),
  tooManyNavigationViews: badRequest('You have too many navigation views.'),
  botsNotAllowed: badRequest('This endpoint does not accept bot requests.'),
  unknownOnboardingStep: badRequestAbout((reason) => `Unknown onboarding_step: ${reason}`),
  unknownShortCommand: badRequest('No such command.'),
  settingIsPersonal: badRequestAbout((reason) => `'${reason}' can only be changed by the person whose it is`),
  targetUsersRequired: badRequest('Either user_ids or group_ids must be provided.'),

  fileRequired: badRequest('You must specify a file to upload'),
  oneFileAtATime: badRequest('You may only upload one file at a time'),
  fileTooLarge: badRequestAbout(
    (reason) => `Uploaded file is larger than the allowed limit of ${reason} MiB`,
  ),
  tooManyUploads: badRequest('You have uploaded too many files. Delete some first.'),
  personUploadQuota: badRequest('Upload would exceed your upload quota.'),
  uploadQuota: row('REALM_UPLOAD_QUOTA', 400, "Upload would exceed your organization's upload quota."),
  /** Said alike of a file that does not exist and of one that the caller may not see. */
  noSuchFile: row('BAD_REQUEST', 404, 'File not found.'),
  badImage: row('BAD_IMAGE', 400, 'Could not decode image; did you upload an image file?'),
  imageTooLarge: row('BAD_IMAGE', 400, 'Image size exceeds limit.'),
  invalidCustomEmojiName: badRequestAbout((reason) => reason),
  customEmojiNameTaken: badRequest('A custom emoji with this name already exists.'),
  builtInEmojiName: badRequest('Only administrators can override default emoji.'),
  tooManyCustomEmoji: badRequest('The organization has too many custom emoji.'),
  noSuchCustomEmoji: row<{ reason: string }>(
    'BAD_REQUEST',
    404,
    (fields) => `Emoji '${fields.reason}' does not exist`,
  ),
  customEmojiDeactivated: badRequest('This custom emoji has been deactivated.'),
  noSuchLinkifier: badRequest('Linkifier not found.'),
  invalidLinkifier: row<{ reason: string; errors: Readonly<Record<string, readonly string[]>> }>(
    'BAD_REQUEST',
    400,
    (fields) => fields.reason,
  ),
  tooManyLinkifiers: badRequest('The organization has too many linkifiers.'),
  invalidLinkifierOrder: badRequest('The ordered list must enumerate all existing linkifiers exactly once'),
  noSuchCodePlayground: badRequest('Invalid playground'),
  invalidCodePlayground: row<{ reason: string; errors: Readonly<Record<string, readonly string[]>> }>(
    'BAD_REQUEST',
    400,
    (fields) => fields.reason,
  ),
  codePlaygroundExists: badRequest('A playground with this language and name already exists.'),
  tooManyCodePlaygrounds: badRequest('The organization has too many playgrounds.'),
  invalidAttachment: badRequest('Invalid attachment'),

  typingNotShown: badRequestAbout(
    (reason) => `User has disabled typing notifications for ${reason} messages`,
  ),

  guestsNotAllowed: badRequest('Not allowed for guest users'),
  /** Said alike of a channel that does not exist and of one that the caller may not know of. */
  invalidChannel: badRequest('Invalid channel ID'),
  invalidChannelName: badRequest('Invalid channel name'),
  unknownChannels: badRequestAbout((reason) => `Channel(s) (${reason}) do not exist`),
  inaccessibleChannels: badRequestAbout((reason) => `Unable to access channel (${reason}).`),
  channelAlreadyExists: row<{ channel_name: string }>(
    'CHANNEL_ALREADY_EXISTS',
    409,
    (fields) => `Channel '${fields.channel_name}' already exists`,
  ),
  channelNameEmpty: badRequest("Channel name can't be empty."),
  channelNameTooLong: badRequest('Channel name too long (limit: 60 characters).'),
  channelNameUnprintable: badRequest('Invalid character in channel name.'),
  channelNameTaken: badRequest('Channel name already in use.'),
  channelNameUnchanged: badRequest('Channel already has that name.'),
  channelDescriptionTooLong: badRequest('description is too long (limit: 1024 characters)'),
  channelNotAdministered: badRequest('You do not have permission to administer this channel.'),
  channelContentAccessRequired: badRequest('Channel content access is required.'),
  channelPrivacyInconsistent: badRequest('Invalid parameters: no channel can be both private and web-public'),
  publicChannelHistoryProtected: badRequest('Invalid parameters: the history of a public channel is public'),
  noSuchChannelGroup: badRequest('Default channel group does not exist.'),
  channelGroupNameTaken: badRequest('A default channel group of this name already exists.'),
  tooManyChannelGroups: badRequest('The organization has too many default channel groups.'),
  channelAlreadyInGroup: badRequest('A channel is in the group already.'),
  channelNotInGroup: badRequest('A channel is not in the group.'),
  defaultChannelPrivate: badRequest('A default channel cannot be private.'),
  moderationChannelPublic: badRequest('Moderation request channel must be private.'),
  channelHoldsTopics: badRequest('The channel holds messages outside the empty topic.'),
  invalidChannelFolder: badRequest('Invalid channel folder ID'),
  channelFolderNotEmpty: badRequest('You need to remove all the channels from this folder to archive it.'),
  channelFolderNameEmpty: badRequest("Channel folder name can't be empty."),
  channelFolderNameTooLong: badRequest('Channel folder name too long (limit: 60 characters).'),
  channelFolderNameUnprintable: badRequest('Invalid character in channel folder name.'),
  channelFolderNameTaken: badRequest('Channel folder name already in use'),
  invalidFolderOrder: badRequest('Invalid order mapping.'),
  invalidRetention: badRequest("Bad value for 'message_retention_days'"),
  invalidDomain: badRequestAbout((reason) => `Invalid domain: ${reason}`),
  domainAlreadyAllowed: badRequestAbout(
    (reason) => `The domain ${reason} is already a part of your organization.`,
  ),
  noSuchDomain: badRequestAbout((reason) => `No entry found for domain ${reason}.`),
  emailDomainNotAllowed: badRequestAbout((reason) => `Email '${reason}' not allowed in this organization`),
  disposableEmail: badRequest('Please use your real email address.'),
  emailWithSuffixNotAllowed: badRequest('Email addresses containing + are not allowed in this organization.'),
  /** Of a setting of the organization: why the value will not do. */
  invalidSetting: badRequestAbout((reason) => reason),
  invalidGroupSetting: badRequestAbout(
    (reason) => `'${reason}' names a group or a person that does not exist`,
  ),
  systemGroupRequired: row<{ setting_name: string }>(
    'SYSTEM_GROUP_REQUIRED',
    400,
    (fields) => `'${fields.setting_name}' must be a system user group.`,
  ),
  groupNotAllowed: badRequestAbout((reason) => `'${reason}' setting cannot be set to that group.`),
  unknownSubscriptionProperty: badRequestAbout((reason) => `Unknown subscription property: ${reason}`),
  tooManyChannels: badRequest('You have created too many channels.'),
  tooManyChannelsAtOnce: badRequestAbout((reason) => `Too many channels in one request (limit: ${reason}).`),
  tooManySubscriptionsAtOnce: badRequestAbout(
    (reason) => `Too many subscriptions in one request: people times channels (limit: ${reason}).`,
  ),
  notSubscribed: badRequest('Not subscribed to this channel'),
  invalidColor: badRequest('color is not a valid hex color code'),
  invalidBooleanProperty: badRequestAbout((reason) => `${reason} is not a boolean`),

  noSuchUser: badRequest('No such user'),
  noSuchBot: badRequest('No such bot'),
  noSuchApiKey: badRequest('No such API key'),
  alreadyDeactivated: badRequest('User is already deactivated'),
  cannotDeactivateLastUser: row<{ is_last_owner: boolean; entity: string }>(
    'CANNOT_DEACTIVATE_LAST_USER',
    400,
    (fields) => `Cannot deactivate the only ${fields.entity}.`,
  ),
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
  noSuchDevice: badRequest('Invalid device_id'),
  tooManyDevices: badRequest('You have too many devices.'),
  nothingToRegister: badRequest('Either a push key or a token is needed.'),
  pushKeyRequired: badRequest('The device has no push key yet.'),
  invalidPushKey: badRequest("Bad value for 'push_key'"),
  noActivePushDevice: row('NO_ACTIVE_PUSH_DEVICE', 400, 'No device is registered for push notifications.'),
  tooManyDeviceTokens: badRequest('You have too many device tokens.'),
  invalidDeviceToken: badRequest('Empty or invalid device token'),
  noSuchDeviceToken: badRequest('Token does not exist'),
  invalidPushDeviceToken: row('INVALID_PUSH_DEVICE_TOKEN', 400, 'Device not recognized'),
  notForBots: badRequest('This endpoint does not accept bot requests.'),
  pushServiceNotConfigured: row(
    'PUSH_SERVICE_NOT_CONFIGURED',
    400,
    'Push notifications are not configured on this server.',
  ),
  adminActionRequired: row(
    'ADMIN_ACTION_REQUIRED',
    403,
    'The push notification service refuses this server: its administrator must look after that.',
  ),
  failedToConnectBouncer: row(
    'FAILED_TO_CONNECT_BOUNCER',
    502,
    'The push notification service could not be reached.',
  ),
  internalServerErrorOnBouncer: row(
    'INTERNAL_SERVER_ERROR_ON_BOUNCER',
    502,
    'The push notification service failed.',
  ),
  invalidMailSender: badRequest('Invalid sender'),
  noAddresses: badRequest('You must specify at least one email address.'),
  noInvitationsForChannel: badRequestAbout((reason) => `Invalid channel ID ${reason}. No invites were sent.`),
  mayNotSubscribeOthers: badRequest('You do not have permission to subscribe other users to channels.'),
  welcomeTextRequired: badRequest('welcome_message_custom_text may not be empty'),
  welcomeTextTooLong: badRequest('welcome_message_custom_text is too long (limit: 8000 characters)'),
  invalidValidity: badRequest("Bad value for 'invite_expires_in_minutes'"),
  noSuchInvitation: badRequest('No such invitation'),
  tooManyInvitations: badRequest('Too many invitations were sent today.'),
  /** Said alike of an invitation that was used, revoked or expired, and of none. */
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
  nothingToDo: badRequest('Nothing to do. Specify at least one of "add" and "delete".'),
} as const;

export type ErrorName = keyof typeof errorTable;

type FieldsOf<Name extends ErrorName> =
  (typeof errorTable)[Name] extends ErrorRow<infer Fields> ? Fields : never;

/** A refusal that the caller is told of, or a fault that is reported as one: a row of {@link errorTable}. */
export class ApplicationError extends Error {
  override readonly name = 'ApplicationError';
  constructor(
    readonly row: ErrorName,
    readonly code: string,
    /** HTTP status. */
    readonly status: number,
    message: string,
    /** Sent beside the code, except `reason`, which is the message itself. */
    readonly fields: ErrorFields,
  ) {
    super(message);
  }
}

/** Whether something was refused for good. After any other failure nobody knows whether the log has it. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApplicationError && error.status < 500;
}

/** Makes the error of a row: `throw failure('invalidMessage')`, `throw failure('badNarrow', { desc: 'unknown operator' })`. */
export function failure<Name extends ErrorName>(
  name: Name,
  ...[fields]: keyof FieldsOf<Name> extends never ? [] : [FieldsOf<Name>]
): ApplicationError {
  const { code, status, message } = errorTable[name] as ErrorRow<ErrorFields>;
  const given: ErrorFields = fields ?? {};
  const { reason: _message, ...extra } = given;
  return new ApplicationError(name, code, status, message(given), extra);
}
