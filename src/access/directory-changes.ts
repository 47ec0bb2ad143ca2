import { evolveChannel } from './records/channel.js';
import { channelDirectoryEvents, type ChannelDirectoryEvent } from '../events/channels.js';
import { subscriptionEvents, type SubscriptionEvent } from '../events/subscriptions.js';
import { channelFoldersFold } from './records/channel-folders.js';
import { channelFolderEvents, type ChannelFolderEvent } from '../events/channel-folders.js';
import { customEmojiFold } from './records/custom-emoji.js';
import { customEmojiEvents, type CustomEmojiEvent } from '../events/custom-emoji.js';
import type { EventOf, RecordedEvent } from '../kernel/event.js';
import { linkifierEvents, type LinkifierEvent } from '../events/linkifiers.js';
import { linkifiersFold } from './records/linkifiers.js';
import { organizationEvents, type OrganizationEvent } from '../events/organization.js';
import { organizationFold } from './records/organization.js';
import { profileFieldEvents, type ProfileFieldEvent } from '../events/profile-fields.js';
import { settingEvents, type SettingEvent } from '../events/settings.js';
import { statusEvents } from '../events/statuses.js';
import { evolveStatus } from './records/status.js';
import { userEvents, type UserEvent } from '../events/users.js';
import { userGroupEvents, type UserGroupEvent } from '../events/user-groups.js';
import { evolveUserGroup } from './records/user-group.js';
import { erasedUser, evolveUser } from './records/user.js';
import type { DirectoryEvent } from './directory-event-types.js';
import type { IndexedRecords } from './directory-records.js';

type Of<Type extends DirectoryEvent['type']> = RecordedEvent<Extract<DirectoryEvent, { type: Type }>>;

/** Applies an event to the records. */
type Change<Event extends RecordedEvent> = (records: IndexedRecords, event: Event) => void;

/** Applies the next event of the log to the records. */
export function applyToRecords(records: IndexedRecords, event: RecordedEvent<DirectoryEvent>): void {
  // The entry for a type accepts events of that type, which the type checker cannot follow.
  (changes[event.type] as Change<RecordedEvent<DirectoryEvent>>)(records, event);
}

const organization: Change<RecordedEvent<OrganizationEvent>> = (records, event) => {
  records.organization = organizationFold.evolve(records.organization, event);
};

const user: Change<RecordedEvent<UserEvent>> = ({ people }, event) => {
  const evolved = evolveUser(people.get(event.data.userId), event);
  if (evolved !== null) people.put(evolved);
};

const registration: Change<Of<'UserRegistered'>> = (records, event) => {
  records.settings.register(event);
  user(records, event);
};

/** Turns the records of a person into what the log still tells after their key was destroyed. */
const erasure: Change<Of<'PersonErased'>> = ({ people, statuses, profiles }, { data: { userId } }) => {
  const erased = people.get(userId);
  if (erased !== null) people.put(erasedUser(erased));
  const status = statuses.get(userId);
  if (status !== undefined) statuses.set(userId, { ...status, text: '' });
  profiles.forget(userId);
};

const setting: Change<RecordedEvent<SettingEvent>> = ({ settings }, event) => settings.apply(event);

const status: Change<Of<'UserStatusChanged'>> = ({ statuses }, event) => {
  const { userId } = event.data;
  statuses.set(userId, evolveStatus(statuses.get(userId) ?? null, event));
};

const profileFields: Change<RecordedEvent<ProfileFieldEvent>> = ({ profiles }, event) =>
  profiles.applyToFields(event);

const profile: Change<Of<'ProfileDataChanged'>> = ({ profiles }, event) => profiles.applyToProfile(event);

const linkifiers: Change<RecordedEvent<LinkifierEvent>> = (records, event) => {
  records.linkifiers = linkifiersFold.evolve(records.linkifiers, event);
};

const customEmoji: Change<RecordedEvent<CustomEmojiEvent>> = (records, event) => {
  records.customEmoji = customEmojiFold.evolve(records.customEmoji, event);
};

const userGroup: Change<RecordedEvent<UserGroupEvent>> = ({ groups }, event) => {
  const evolved = evolveUserGroup(groups.get(event.data.groupId), event);
  if (evolved !== null) groups.put(evolved);
};

const channel: Change<RecordedEvent<ChannelDirectoryEvent>> = ({ channels }, event) => {
  const evolved = evolveChannel(channels.get(event.data.channelId), event);
  if (evolved !== null) channels.put(evolved);
};

const subscription: Change<RecordedEvent<SubscriptionEvent>> = ({ subscriptions }, event) =>
  subscriptions.apply(event);

const channelWithSubscriptions: Change<Of<'ChannelCreated'>> = (records, event) => {
  channel(records, event);
  records.subscriptions.apply(event);
};

const channelFolders: Change<RecordedEvent<ChannelFolderEvent>> = (records, event) => {
  records.channelFolders = channelFoldersFold.evolve(records.channelFolders, event);
};

/**
 * The first lines cover whole families of events; later lines replace them for events that change something
 * else, or more.
 */
const changes: { readonly [Type in DirectoryEvent['type']]: Change<Of<Type>> } = {
  ...each(organizationEvents, organization),
  ...each(userEvents, user),
  UserRegistered: registration,
  ProfileDataChanged: profile,
  PersonErased: erasure,
  ...each(settingEvents, setting),
  ...each(statusEvents, status),
  ...each(profileFieldEvents, profileFields),
  ...each(linkifierEvents, linkifiers),
  ...each(customEmojiEvents, customEmoji),
  ...each(userGroupEvents, userGroup),
  ...each(channelDirectoryEvents, channel),
  ChannelCreated: channelWithSubscriptions,
  ...each(channelFolderEvents, channelFolders),
  ...each(subscriptionEvents, subscription),
};

type ChangeOf<Definition> = Change<RecordedEvent<EventOf<Definition>>>;

function each<Definition extends { readonly type: string }>(
  definitions: readonly Definition[],
  change: ChangeOf<Definition>,
): Record<Definition['type'], ChangeOf<Definition>> {
  const rows = definitions.map(({ type }) => [type, change]);
  return Object.fromEntries(rows) as Record<Definition['type'], ChangeOf<Definition>>;
}
