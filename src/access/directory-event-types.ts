import type { EventOf, RecordedEvent } from '../kernel/event.js';
import { channelEvents, type ChannelDirectoryEvent } from '../events/channels.js';
import type { SubscriptionEvent } from '../events/subscriptions.js';
import { channelFolderEvents, type ChannelFolderEvent } from '../events/channel-folders.js';
import { customEmojiEvents, type CustomEmojiEvent } from '../events/custom-emoji.js';
import { PersonErased } from '../events/erasure.js';
import { linkifierEvents, type LinkifierEvent } from '../events/linkifiers.js';
import { organizationEvents, type OrganizationEvent } from '../events/organization.js';
import { profileFieldEvents, type ProfileFieldEvent } from '../events/profile-fields.js';
import { settingEvents, type SettingEvent } from '../events/settings.js';
import { statusEvents, type StatusEvent } from '../events/statuses.js';
import { userEvents, type UserEvent } from '../events/users.js';
import { userGroupEvents, type UserGroupEvent } from '../events/user-groups.js';

/** Every event that changes the directory. */
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

/** Types of the events that change the directory. */
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

/** Whether an event changes the directory. */
export function isDirectoryEvent(event: RecordedEvent): event is RecordedEvent<DirectoryEvent> {
  return directoryEventTypes.has(event.type);
}
