import { auditEvents } from './audit/events.js';
import { accountLinkEvents } from './account-links/events.js';
import { attentionEvents } from './attention/events.js';
import { channelEvents } from './channels/events.js';
import { channelFolderEvents } from './channels/folders/events.js';
import { erasureEvents } from './erasure/events.js';
import { EventCatalog } from './event-store/catalog.js';
import { invitationEvents } from './invitations/events.js';
import { mailEvents } from './mail/events.js';
import { flagEvents } from './messages/flags/events.js';
import { customEmojiEvents } from './emoji/events.js';
import { linkifierEvents } from './linkifiers/events.js';
import { messageEvents } from './messages/events.js';
import { moveEvents } from './messages/move-events.js';
import { organizationEvents } from './organization/events.js';
import { personalEvents } from './personal/events.js';
import { profileFieldEvents } from './profiles/events.js';
import { settingEvents } from './settings/events.js';
import { uploadEvents } from './uploads/events.js';
import { statusEvents } from './statuses/events.js';
import { missedMessageEvents } from './missed-messages/events.js';
import { deviceEvents } from './push/events.js';
import { userEvents } from './users/events.js';
import { userGroupEvents } from './users/group-events.js';

/** Every event that this version of the server can write or read. */
export const eventCatalog = new EventCatalog([
  ...organizationEvents,
  ...userEvents,
  ...settingEvents,
  ...statusEvents,
  ...accountLinkEvents,
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
  ...erasureEvents,
  ...mailEvents,
  ...uploadEvents,
  ...invitationEvents,
  ...deviceEvents,
  ...missedMessageEvents,
  ...linkifierEvents,
  ...customEmojiEvents,
]);
