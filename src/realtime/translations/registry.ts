import type { RecordedEvent } from '../../kernel/event.js';
import { noClientEvent, type Translation } from '../translation.js';
import { accountLinkTranslations } from './account-links.js';
import { attentionTranslations } from './attention.js';
import { channelFolderTranslations } from './channel-folders.js';
import { channelTranslations } from './channels.js';
import { customEmojiTranslations } from './custom-emoji.js';
import { deviceTranslations } from './devices.js';
import { erasureTranslations } from './erasures.js';
import { flagTranslations } from './flags.js';
import { linkifierTranslations } from './linkifiers.js';
import { invitationTranslations } from './invitations.js';
import { mailTranslations } from './mail.js';
import {
  botStorageTranslations,
  navigationViewTranslations,
  onboardingTranslations,
  savedSnippetTranslations,
} from './menu.js';
import { messageTranslations } from './messages.js';
import { missedMessageTranslations } from './missed-messages.js';
import { moveTranslations } from './moves.js';
import { organizationTranslations } from './organization.js';
import { personalTranslations } from './personal.js';
import { profileFieldTranslations } from './profiles.js';
import { sealTranslations } from './seals.js';
import { settingTranslations } from './settings.js';
import { statusTranslations } from './statuses.js';
import { subscriptionTranslations } from './subscriptions.js';
import { uploadTranslations } from './uploads.js';
import { userGroupTranslations } from './user-groups.js';
import { userTranslations } from './users.js';

type Line = Translation<RecordedEvent> | typeof noClientEvent;

/** Every event of the log by its type, with how clients are told of it. A test misses an event that has no line. */
export const translationLines: ReadonlyMap<string, Line> = new Map(
  [
    organizationTranslations,
    userTranslations,
    userGroupTranslations,
    channelTranslations,
    channelFolderTranslations,
    subscriptionTranslations,
    messageTranslations,
    moveTranslations,
    flagTranslations,
    attentionTranslations,
    personalTranslations,
    savedSnippetTranslations,
    navigationViewTranslations,
    botStorageTranslations,
    onboardingTranslations,
    settingTranslations,
    statusTranslations,
    mailTranslations,
    invitationTranslations,
    deviceTranslations,
    missedMessageTranslations,
    accountLinkTranslations,
    profileFieldTranslations,
    linkifierTranslations,
    customEmojiTranslations,
    uploadTranslations,
    sealTranslations,
    erasureTranslations,
    // The catalog has checked what an event of each type holds.
  ].flatMap((lines) => Object.entries(lines as unknown as Record<string, Line>)),
);

/** How clients are told of an event, by its type; those of which they are not told are left out. */
export const translations: ReadonlyMap<string, Translation<RecordedEvent>> = new Map(
  [...translationLines].flatMap(([type, line]) => (line === noClientEvent ? [] : [[type, line]])),
);
