import type { CustomEmojiEvent } from '../../events/custom-emoji.js';
import type { ExportEvent } from '../../events/exports.js';
import type { LinkifierEvent } from '../../events/linkifiers.js';
import type { OrganizationEvent } from '../../events/organization.js';
import type { Sentences, SentenceTable } from './event-formatter.js';
import { listed, quoted } from './wording.js';

const pictureNames = { icon: 'icon', logo: 'logo', night_logo: 'logo for dark pages' } as const;

const organizationSentences: Sentences<OrganizationEvent> = {
  OrganizationCreated: ({ name }, format) => `${format.actor} created the organization ${quoted(name)}.`,
  OrganizationSettingsChanged: ({ settings, previousSettings }, format) =>
    `${format.actor} changed settings of the organization: ${format.changes(settings, previousSettings)}.`,
  OrganizationPermissionsChanged: ({ permissions, previousPermissions }, format) =>
    `${format.actor} changed who may do what in the organization: ${format.grants(permissions, previousPermissions)}.`,
  DomainAllowed: ({ domain, allowSubdomains }, format) =>
    `${format.actor} allowed addresses of ${quoted(domain)}${allowSubdomains ? ' and its subdomains' : ''} to join.`,
  AllowedDomainChanged: ({ domain, allowSubdomains }, format) =>
    `${format.actor} let subdomains of ${quoted(domain)} ${allowSubdomains ? 'join as well' : 'join no longer'}.`,
  AllowedDomainRemoved: ({ domain }, format) =>
    `${format.actor} removed ${quoted(domain)} from the domains that may join.`,
  CodePlaygroundAdded: ({ name, language, urlTemplate }, format) =>
    `${format.actor} added the code playground ${quoted(name)} for ${quoted(language)} at ${quoted(urlTemplate)}.`,
  CodePlaygroundRemoved: ({ playgroundId }, format) =>
    `${format.actor} removed code playground ${playgroundId}.`,
  OrganizationPictureChanged: ({ kind, size }, format) =>
    `${format.actor} gave the organization another ${pictureNames[kind]}, ${size} bytes.`,
  OrganizationPictureRemoved: ({ kind }, format) =>
    `${format.actor} removed the ${pictureNames[kind]} of the organization.`,
  DefaultChannelGroupCreated: ({ name, channelIds }, format) =>
    `${format.actor} created the group ${quoted(name)} of channels for new people: ${format.channels(channelIds)}.`,
  DefaultChannelGroupChanged: ({ groupId, name, channelIds }, format) =>
    `${format.actor} changed group ${groupId} of channels for new people: ${quoted(name)} with ${format.channels(channelIds)}.`,
  OrganizationDeactivated: ({ deletionDelayDays }, format) =>
    `${format.actor} deactivated the organization${deletionDelayDays === null ? '' : `, to be deleted after ${deletionDelayDays} days`}.`,
  OrganizationReactivated: ({ operator }) => `The operator ${operator} reactivated the organization.`,
  DefaultChannelGroupRemoved: ({ groupId }, format) =>
    `${format.actor} removed group ${groupId} of channels for new people.`,
};

/** Linkifiers: rules by which texts become links. */
const linkifierSentences: Sentences<LinkifierEvent> = {
  LinkifierAdded: ({ linkifierId, pattern, urlTemplate }, format) =>
    `${format.actor} added linkifier ${linkifierId}, from ${quoted(pattern)} to ${quoted(urlTemplate)}.`,
  LinkifierChanged: ({ linkifierId, pattern, urlTemplate }, format) =>
    `${format.actor} changed linkifier ${linkifierId}, now from ${quoted(pattern)} to ${quoted(urlTemplate)}.`,
  LinkifierRemoved: ({ linkifierId }, format) => `${format.actor} removed linkifier ${linkifierId}.`,
  LinkifiersReordered: ({ linkifierIds }, format) =>
    `${format.actor} put the linkifiers into the order ${listed(linkifierIds.map(String))}.`,
};

const customEmojiSentences: Sentences<CustomEmojiEvent> = {
  CustomEmojiAdded: ({ emojiId }, format) => `${format.actor} added the emoji ${format.emoji(emojiId)}.`,
  CustomEmojiDeactivated: ({ emojiId }, format) =>
    `${format.actor} deactivated the emoji ${format.emoji(emojiId)}.`,
};

const exportContents = {
  public: 'what everybody may read',
  full_with_consent: 'what everybody may read, and what people who consent may read',
  full_without_consent: 'everything, without anybody’s consent',
} as const;

const exportSentences: Sentences<ExportEvent> = {
  ExportRequested: ({ exportId, userId, exportType }, format) =>
    `${format.person(userId)} asked for export ${exportId} of the organization: ${exportContents[exportType]}.`,
  ExportStarted: ({ exportId }) => `The server began to make export ${exportId}.`,
  ExportCompleted: ({ exportId, file, messages, missingFiles, damagedEvents }) =>
    `Export ${exportId} was made: ${file.size} bytes, ${messages === null ? 'the whole log' : `${messages} messages`}, without ${missingFiles} files that are gone, and with ${damagedEvents} damaged events.`,
  ExportFailed: ({ exportId, fault }) => `Export ${exportId} failed: it ${faultWords[fault]}.`,
  ExportDownloaded: ({ exportId }, format) => `${format.actor} downloaded export ${exportId}.`,
  ExportDeleted: ({ exportId, isExpired }, format) =>
    isExpired
      ? `The file of export ${exportId} was removed, because it had expired.`
      : `${format.actor} removed the file of export ${exportId}.`,
};

const faultWords = {
  'too large': 'was too large',
  'took too long': 'took too long',
  'failed again and again': 'failed at every attempt',
} as const;

/** The tables of this file. */
export const organizationTables: readonly SentenceTable[] = [
  organizationSentences,
  linkifierSentences,
  customEmojiSentences,
  exportSentences,
];
