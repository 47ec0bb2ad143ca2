import type { Directory } from '../../access/directory.js';
import type { EventOf, Recorded, RecordedEvent } from '../../kernel/event.js';
import type {
  ChannelCreated,
  ChannelDirectoryEvent,
  ChannelPermissionsChanged,
  ChannelPropertiesChanged,
} from '../../events/channels.js';
import type { FurtherSubscription, UsersSubscribed } from '../../events/subscriptions.js';
import { channelLink, plainMarkdown } from '../../markdown/written-names.js';
import { announcementChannel, type Notice } from './notices.js';
import {
  groupSettingName,
  noticeTopic,
  privacyName,
  quoted,
  retentionName,
  silentMention,
} from './notice-texts.js';

/** Events about which the notification bot sends messages. */
export type NoticedEvent = ChannelDirectoryEvent | EventOf<typeof UsersSubscribed>;

/** The topic in which new channels are announced. */
const NEW_CHANNELS_TOPIC = 'new channels';

/** The topic of a channel for notices about the channel itself. */
const CHANNEL_EVENTS_TOPIC = 'channel events';

/**
 * The messages that the notification bot sends because of an event: to the channel about a change of it; to
 * each person whom somebody else subscribed to existing channels, with a list of these.
 *
 * @param together for a creation, all creations of the same request in order
 */
export function noticesFor(
  event: RecordedEvent<NoticedEvent>,
  directory: Directory,
  together: readonly Recorded<typeof ChannelCreated>[],
): readonly Notice[] {
  return [
    ...channelNotices(event, directory),
    ...announcements(event, directory, together),
    ...subscriptionNotices(event, directory),
  ];
}

/** The organization may have turned notices in channels off. */
function channelNotices(event: RecordedEvent<NoticedEvent>, directory: Directory): readonly Notice[] {
  if (directory.organization?.settings.send_channel_events_messages === false) return [];
  const text = event.type === 'UsersSubscribed' ? null : channelNotice(event, directory);
  if (text === null) return [];
  const { channelId } = event.data;
  const to = { channelId, topic: noticeTopic(directory.channel(channelId), CHANNEL_EVENTS_TOPIC) };
  return [{ to, content: text, causationId: event.id, ...archivingReadOnArrival(event), ...authorOf(event) }];
}

/** The notice quotes the description of the channel: words of whoever wrote it. */
function authorOf({ type, metadata: { actorId } }: RecordedEvent<NoticedEvent>): Pick<Notice, 'authorId'> {
  const quotesDescription = type === 'ChannelCreated' || type === 'ChannelDescriptionChanged';
  return quotesDescription && actorId !== null ? { authorId: actorId } : {};
}

/**
 * The notice about archiving arrives as read: clients have just removed the channel, so nobody would look
 * into it.
 */
function archivingReadOnArrival(event: RecordedEvent<NoticedEvent>): Pick<Notice, 'readOnArrival'> {
  if (event.type === 'ChannelArchived') return { readOnArrival: { everyone: true, except: [] } };
  return event.type === 'ChannelCreated' ? readByCreator(event) : {};
}

/** The creator of a channel has the notice as read. */
function readByCreator({
  metadata: { actorId },
}: Recorded<typeof ChannelCreated>): Pick<Notice, 'readOnArrival'> {
  return { readOnArrival: { everyone: false, except: actorId === null ? [] : [actorId] } };
}

/**
 * Announcements of new channels that everyone may know of, if the organization and the creator want them: one
 * for all channels of a request, sent because of the first.
 */
function announcements(
  event: RecordedEvent<NoticedEvent>,
  directory: Directory,
  together: readonly Recorded<typeof ChannelCreated>[],
): readonly Notice[] {
  if (event.type !== 'ChannelCreated' || !event.data.announced || event.data.privacy.inviteOnly) return [];
  const channel = announcementChannel(directory, 'new_stream_announcements_stream_id');
  if (channel === null || together[0]?.id !== event.id) return [];
  const creator = silentMention(directory, event.metadata.actorId);
  const content = `${creator} created ${newChannels(together)}.`;
  const to = { channelId: channel.id, topic: noticeTopic(channel, NEW_CHANNELS_TOPIC) };
  return [{ to, content, causationId: event.id, ...readByCreator(event) }];
}

function newChannels(together: readonly Recorded<typeof ChannelCreated>[]): string {
  const links = together.map(({ data: { channelId: id, name } }) => channelLink({ id, name })).join(', ');
  return together.length === 1 ? `a new channel ${links}` : `the following channels: ${links}`;
}

function channelNotice(event: RecordedEvent<ChannelDirectoryEvent>, directory: Directory): string | null {
  const actor = silentMention(directory, event.metadata.actorId);
  switch (event.type) {
    case 'ChannelCreated':
      return creationText(event.data, actor);
    case 'ChannelRenamed': {
      const [before, now] = [event.data.previousName, event.data.name].map(plainMarkdown);
      return `${actor} renamed channel **${before}** to **${now}**.`;
    }
    case 'ChannelDescriptionChanged': {
      const { previousDescription, description } = event.data;
      const change = oldAndNew('description', quoted(previousDescription), quoted(description));
      return `${actor} changed the description for this channel.\n\n${change}`;
    }
    case 'ChannelPrivacyChanged': {
      const { previousPrivacy, privacy } = event.data;
      const change = `from **${privacyName(previousPrivacy)}** to **${privacyName(privacy)}**`;
      return `${actor} changed the access permissions for this channel ${change}.`;
    }
    case 'ChannelPermissionsChanged':
      return postingText(event.data, actor, directory);
    case 'ChannelPropertiesChanged':
      return retentionText(event.data, actor);
    case 'ChannelArchived':
      return `${actor} archived this channel.`;
    case 'ChannelUnarchived':
      return `${actor} unarchived this channel.`;
  }
}

function creationText(
  { privacy, description }: EventOf<typeof ChannelCreated>['data'],
  actor: string,
): string {
  return `**${privacyName(privacy)}** channel created by ${actor}. **Description:**\n\n${quoted(description)}`;
}

function postingText(
  { permissions, previousPermissions }: EventOf<typeof ChannelPermissionsChanged>['data'],
  actor: string,
  directory: Directory,
): string | null {
  const { can_send_message_group: now } = permissions;
  const { can_send_message_group: before } = previousPermissions;
  if (now === undefined || before === undefined) return null;
  const change = oldAndNew(
    'permissions',
    groupSettingName(directory, before),
    groupSettingName(directory, now),
  );
  return `${actor} changed the posting permissions for this channel:\n\n${change}`;
}

function retentionText(
  { properties, previousProperties }: EventOf<typeof ChannelPropertiesChanged>['data'],
  actor: string,
): string | null {
  const { messageRetentionDays: now } = properties;
  const { messageRetentionDays: before } = previousProperties;
  if (now === undefined || before === undefined) return null;
  const change = oldAndNew('retention period', retentionName(before), retentionName(now));
  return `${actor} changed the message retention period for this channel:\n\n${change}`;
}

function oldAndNew(what: string, before: string, now: string): string {
  return `**Old ${what}:**${after(before)}\n\n**New ${what}:**${after(now)}`;
}

/** A quotation must begin on a line of its own. */
function after(text: string): string {
  return text.startsWith('`') ? `\n\n${text}` : ` ${text}`;
}

function subscriptionNotices(event: RecordedEvent<NoticedEvent>, directory: Directory): Notice[] {
  const { actorId } = event.metadata;
  const notices: Notice[] = [];
  for (const [userId, links] of linksByPerson(event, directory)) {
    const user = directory.user(userId);
    if (userId === actorId || user?.isActive !== true || user.bot !== null) continue;
    const content = `${silentMention(directory, actorId)} subscribed you to ${listed(links)}`;
    notices.push({ to: { userIds: [userId] }, content, causationId: event.id });
  }
  return notices;
}

/**
 * The first event of a request carries all of its subscriptions to existing channels; the others cause no
 * notices.
 */
function linksByPerson(
  event: RecordedEvent<NoticedEvent>,
  directory: Directory,
): ReadonlyMap<number, readonly string[]> {
  const links = new Map<number, string[]>();
  for (const { channelId, userIds } of subscriptionsToAnnounce(event)) {
    const channel = directory.channel(channelId);
    if (channel === null) continue;
    // There are many pairs of a channel and a person, so the link is made once for each channel.
    const link = channelLink(channel);
    for (const userId of userIds) {
      const known = links.get(userId);
      if (known === undefined) links.set(userId, [link]);
      else known.push(link);
    }
  }
  return links;
}

function subscriptionsToAnnounce(
  event: RecordedEvent<NoticedEvent>,
): readonly Pick<FurtherSubscription, 'channelId' | 'userIds'>[] {
  if (event.type === 'UsersSubscribed') {
    return event.data.notify ? [event.data, ...event.data.continuation] : [];
  }
  return event.type === 'ChannelCreated' && event.data.notify ? event.data.continuation : [];
}

function listed(links: readonly string[]): string {
  const [only] = links;
  if (links.length === 1 && only !== undefined) return `the channel ${only}.`;
  return `the following channels:\n\n${links.map((link) => `* ${link}`).join('\n')}`;
}
