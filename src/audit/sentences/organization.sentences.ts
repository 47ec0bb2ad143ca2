import type { CustomEmojiEvent } from '../../events/custom-emoji.js';
import type { ExportEvent } from '../../events/exports.js';
import type { LinkifierEvent } from '../../events/linkifiers.js';
import type { OrganizationEvent } from '../../events/organization.js';
import type { Sentences } from './teller.js';
import { listed, quoted } from './wording.js';

const pictureNames = { icon: 'icon', logo: 'logo', night_logo: 'logo for dark pages' } as const;

/** The organization. */
export const organizationSentences: Sentences<OrganizationEvent> = {
  OrganizationCreated: ({ name }, told) => `${told.actor} created the organization ${quoted(name)}.`,
  OrganizationSettingsChanged: ({ settings, previousSettings }, told) =>
    `${told.actor} changed settings of the organization: ${told.changes(settings, previousSettings)}.`,
  OrganizationPermissionsChanged: ({ permissions, previousPermissions }, told) =>
    `${told.actor} changed who may do what in the organization: ${told.grants(permissions, previousPermissions)}.`,
  DomainAllowed: ({ domain, allowSubdomains }, told) =>
    `${told.actor} allowed addresses of ${quoted(domain)}${allowSubdomains ? ' and its subdomains' : ''} to join.`,
  AllowedDomainChanged: ({ domain, allowSubdomains }, told) =>
    `${told.actor} let subdomains of ${quoted(domain)} ${allowSubdomains ? 'join as well' : 'join no longer'}.`,
  AllowedDomainRemoved: ({ domain }, told) =>
    `${told.actor} took ${quoted(domain)} off the domains that may join.`,
  CodePlaygroundAdded: ({ name, language, urlTemplate }, told) =>
    `${told.actor} added the code playground ${quoted(name)} for ${quoted(language)} at ${quoted(urlTemplate)}.`,
  CodePlaygroundRemoved: ({ playgroundId }, told) => `${told.actor} removed code playground ${playgroundId}.`,
  OrganizationPictureChanged: ({ kind, size }, told) =>
    `${told.actor} gave the organization another ${pictureNames[kind]}, ${size} bytes.`,
  OrganizationPictureRemoved: ({ kind }, told) =>
    `${told.actor} took the ${pictureNames[kind]} of the organization away.`,
  DefaultChannelGroupCreated: ({ name, channelIds }, told) =>
    `${told.actor} put ${told.channels(channelIds)} together for new people as ${quoted(name)}.`,
  DefaultChannelGroupChanged: ({ groupId, name, channelIds }, told) =>
    `${told.actor} changed group ${groupId} of channels for new people: ${quoted(name)} with ${told.channels(channelIds)}.`,
  OrganizationDeactivated: ({ deletionDelayDays }, told) =>
    `${told.actor} deactivated the organization${deletionDelayDays === null ? '' : `, and wanted it deleted after ${deletionDelayDays} days`}.`,
  OrganizationReactivated: ({ operator }) => `The operator ${operator} made the organization active again.`,
  DefaultChannelGroupRemoved: ({ groupId }, told) =>
    `${told.actor} removed group ${groupId} of channels for new people.`,
};

/** Rules by which texts become links. */
export const linkifierSentences: Sentences<LinkifierEvent> = {
  LinkifierAdded: ({ linkifierId, pattern, urlTemplate }, told) =>
    `${told.actor} added linkifier ${linkifierId}, from ${quoted(pattern)} to ${quoted(urlTemplate)}.`,
  LinkifierChanged: ({ linkifierId, pattern, urlTemplate }, told) =>
    `${told.actor} changed linkifier ${linkifierId}, now from ${quoted(pattern)} to ${quoted(urlTemplate)}.`,
  LinkifierRemoved: ({ linkifierId }, told) => `${told.actor} removed linkifier ${linkifierId}.`,
  LinkifiersReordered: ({ linkifierIds }, told) =>
    `${told.actor} put the linkifiers into the order ${listed(linkifierIds.map(String))}.`,
};

/** The organization's own emoji. */
export const customEmojiSentences: Sentences<CustomEmojiEvent> = {
  CustomEmojiAdded: ({ emojiId }, told) => `${told.actor} added the emoji ${told.emoji(emojiId)}.`,
  CustomEmojiDeactivated: ({ emojiId }, told) =>
    `${told.actor} let the emoji ${told.emoji(emojiId)} be used no longer.`,
};

const exportContents = {
  public: 'what everybody may read',
  full_with_consent: 'what everybody may read, and what those may who consent',
  full_without_consent: 'everything, whoever consents',
} as const;

/** Exports of the organization. */
export const exportSentences: Sentences<ExportEvent> = {
  ExportRequested: ({ exportId, userId, exportType }, told) =>
    `${told.person(userId)} asked for export ${exportId} of the organization: ${exportContents[exportType]}.`,
  ExportStarted: ({ exportId }) => `The server began to make export ${exportId}.`,
  ExportCompleted: ({ exportId, file, messages, missingFiles, damagedEvents }) =>
    `Export ${exportId} was made: ${file.size} bytes, ${messages === null ? 'the whole log' : `${messages} messages`}, without ${missingFiles} files that are gone, and with ${damagedEvents} damaged events.`,
  ExportFailed: ({ exportId, fault }) => `Export ${exportId} was given up: it ${faultWords[fault]}.`,
  ExportDownloaded: ({ exportId }, told) => `${told.actor} downloaded export ${exportId}.`,
  ExportDeleted: ({ exportId, isExpired }, told) =>
    isExpired
      ? `The file of export ${exportId} was removed, because its time was over.`
      : `${told.actor} removed the file of export ${exportId}.`,
};

const faultWords = {
  'too large': 'was too large',
  'took too long': 'took too long',
  'failed again and again': 'failed again and again',
} as const;
