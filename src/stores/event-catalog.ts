import { auditEvents } from '../events/audit.js';
import { accountLinkEvents } from '../events/account-links.js';
import { attentionEvents } from '../events/attention.js';
import { caseEvents } from '../events/cases.js';
import { channelEvents } from '../events/channels.js';
import { channelFolderEvents } from '../events/channel-folders.js';
import { erasureEvents } from '../events/erasure.js';
import { exportEvents } from '../events/exports.js';
import { EventCatalog } from './event-store/catalog.js';
import { invitationEvents } from '../events/invitations.js';
import { mailEvents } from '../events/mail.js';
import { flagEvents } from '../events/message-flags.js';
import { customEmojiEvents } from '../events/custom-emoji.js';
import { linkifierEvents } from '../events/linkifiers.js';
import { messageEvents } from '../events/messages.js';
import { moveEvents } from '../events/message-moves.js';
import { organizationEvents } from '../events/organization.js';
import { operationEvents } from '../events/operations.js';
import { personalEvents } from '../events/personal.js';
import { profileFieldEvents } from '../events/profile-fields.js';
import { securityEvents } from '../events/security.js';
import { settingEvents } from '../events/settings.js';
import { resumableUploadEvents } from '../events/resumable-uploads.js';
import { externalSignInEvents } from '../events/external-sign-in.js';
import { secondFactorEvents } from '../events/second-factor.js';
import { uploadEvents } from '../events/uploads.js';
import { outgoingWebhookEvents } from '../events/outgoing-webhooks.js';
import { reportEvents } from '../events/reports.js';
import { statusEvents } from '../events/statuses.js';
import { missedMessageEvents } from '../events/missed-messages.js';
import { deviceEvents } from '../events/devices.js';
import { userEvents } from '../events/users.js';
import { userGroupEvents } from '../events/user-groups.js';

/** Every event that this version of the server can write or read. */
export const eventCatalog = new EventCatalog([
  ...organizationEvents,
  ...userEvents,
  ...settingEvents,
  ...statusEvents,
  ...accountLinkEvents,
  ...externalSignInEvents,
  ...secondFactorEvents,
  ...profileFieldEvents,
  ...userGroupEvents,
  ...channelEvents,
  ...channelFolderEvents,
  ...messageEvents,
  ...personalEvents,
  ...moveEvents,
  ...flagEvents,
  ...attentionEvents,
  ...auditEvents,
  ...operationEvents,
  ...erasureEvents,
  ...caseEvents,
  ...exportEvents,
  ...mailEvents,
  ...uploadEvents,
  ...resumableUploadEvents,
  ...invitationEvents,
  ...deviceEvents,
  ...missedMessageEvents,
  ...linkifierEvents,
  ...customEmojiEvents,
  ...reportEvents,
  ...outgoingWebhookEvents,
  ...securityEvents,
]);
