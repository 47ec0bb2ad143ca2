import { badRequest, badRequestAbout, badRequestOf, row } from './error-row.js';

/** Errors of the administrators' settings: organization, emoji, linkifiers, domains. */
export const organizationErrors = {
  customEmojiNameMissing: badRequest('Emoji name is missing'),
  customEmojiNameTooLong: badRequest('Emoji name is too long (limit: 100 characters).'),
  customEmojiNameCharacters: badRequest(
    'Emoji names must contain only lowercase English letters, digits, spaces, dashes, underscores, and periods.',
  ),
  customEmojiNameEnd: badRequest('Emoji names must end with either a letter or digit.'),
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
  invalidDomain: badRequestAbout((reason) => `Invalid domain: ${reason}`),
  domainAlreadyAllowed: badRequestAbout(
    (reason) => `The domain ${reason} is already a part of your organization.`,
  ),
  tooManyDomains: badRequest('The organization has too many allowed domains.'),
  invalidDeletionDelay: badRequest('Data deletion time must be at least 14 days in the future.'),
  noSuchDomain: badRequestAbout((reason) => `No entry found for domain ${reason}.`),
  emailDomainNotAllowed: badRequestAbout((reason) => `Email '${reason}' not allowed in this organization`),
  disposableEmail: badRequest('Please use your real email address.'),
  emailWithSuffixNotAllowed: badRequest('Email addresses containing + are not allowed in this organization.'),
  /** A setting of the organization has an invalid value. */
  invalidSetting: badRequestOf<{ name: string; fault: string }>(
    ({ name, fault }) => `Invalid ${name}: ${fault}`,
  ),
  settingNotOnOneLine: badRequestAbout((name) => `Invalid ${name}: it must stand on one line`),
  permissionTooLong: badRequestAbout(
    (name) => `'${name}' names too many people and groups: name a group that contains them.`,
  ),
  invalidGroupSetting: badRequestAbout(
    (reason) => `'${reason}' names a group or a person that does not exist`,
  ),
  systemGroupRequired: row<{ setting_name: string }>(
    'SYSTEM_GROUP_REQUIRED',
    400,
    (fields) => `'${fields.setting_name}' must be a system user group.`,
  ),
  groupNotAllowed: badRequestAbout((reason) => `'${reason}' setting cannot be set to that group.`),
  /** An operator command about read models was refused, with the sentence that operators are shown. */
  operationRefused: badRequestAbout((reason) => reason),
  operationUnderWay: badRequestAbout((reason) => `This is under way there already: ${reason}`),
} as const;
