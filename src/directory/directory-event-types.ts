import { channelEvents } from '../channels/events.js';
import { channelFolderEvents } from '../channels/folders/events.js';
import { customEmojiEvents } from '../emoji/events.js';
import { PersonErased } from '../erasure/events.js';
import { linkifierEvents } from '../linkifiers/events.js';
import { organizationEvents } from '../organization/events.js';
import { profileFieldEvents } from '../profiles/events.js';
import { settingEvents } from '../settings/events.js';
import { statusEvents } from '../statuses/events.js';
import { userEvents } from '../users/events.js';
import { userGroupEvents } from '../users/group-events.js';
import type { DirectoryEvent } from './directory.js';

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
