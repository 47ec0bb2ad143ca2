import { channelEvents, type ChannelDirectoryEvent, type SubscriptionEvent } from '../channels/events.js';
import { channelFolderEvents, type ChannelFolderEvent } from '../channels/folders/events.js';
import { customEmojiEvents, type CustomEmojiEvent } from '../emoji/events.js';
import { PersonErased } from '../erasure/events.js';
import type { EventOf } from '../kernel/event.js';
import { linkifierEvents, type LinkifierEvent } from '../linkifiers/events.js';
import { organizationEvents, type OrganizationEvent } from '../organization/events.js';
import { profileFieldEvents, type ProfileFieldEvent } from '../profiles/events.js';
import { settingEvents, type SettingEvent } from '../settings/events.js';
import { statusEvents, type StatusEvent } from '../statuses/events.js';
import { userEvents, type UserEvent } from '../users/events.js';
import { userGroupEvents, type UserGroupEvent } from '../users/group-events.js';

/** Every event that the directory follows. */
export type DirectoryEvent =
  | OrganizationEvent
  | UserEvent
  | SettingEvent
  | StatusEvent
  | ProfileFieldEvent
  | LinkifierEvent
  | CustomEmojiEvent
  | UserGroupEvent
  | ChannelDirectoryEvent
  | ChannelFolderEvent
  | SubscriptionEvent
  | EventOf<typeof PersonErased>;

/** Names of the events that the directory follows. */
export const directoryEventTypes: ReadonlySet<string> = new Set<DirectoryEvent['type']>(
  [
    ...organizationEvents,
    ...userEvents,
    ...settingEvents,
    ...statusEvents,
    ...profileFieldEvents,
    ...linkifierEvents,
    ...customEmojiEvents,
    ...userGroupEvents,
    ...channelEvents,
    ...channelFolderEvents,
    PersonErased,
  ].map(({ type }) => type),
);
