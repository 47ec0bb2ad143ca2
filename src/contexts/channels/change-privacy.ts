import { hasContentAccess, mayCreateChannel } from '../../access/permissions.js';
import { failure } from '../../kernel/errors.js';
import type { Channel } from '../../access/records/channel.js';
import type { ChannelChanges, DecideChange } from './channel-changes.js';
import { assertTopicsTellNothing, privacyOf } from './channel-settings.js';
import type { ChannelPrivacy } from '../../events/channels.js';

/** Opening or closing a channel takes the right to make such a channel, and being able to read this one. */
export const changePrivacy: DecideChange = (channel, changes, { moment, user: caller }) => {
  const privacy = privacyAfter(channel, changes);
  const { privacy: previousPrivacy } = channel;
  if (samePrivacy(privacy, previousPrivacy)) return [];
  if (!hasContentAccess(moment, caller, channel)) throw failure('channelContentAccessRequired');
  if (!mayCreateChannel(moment, caller, privacy)) throw failure('insufficientPermission');
  if (privacy.inviteOnly && (changes.isDefault ?? channel.isDefault)) throw failure('defaultChannelPrivate');
  const moderationChannelId = moment.directory.organization?.settings.moderation_request_channel_id;
  if (!privacy.inviteOnly && channel.id === moderationChannelId) throw failure('moderationChannelPublic');
  const { can_create_topic_group: mayCreateTopics } = channel.permissions;
  assertTopicsTellNothing(privacy, changes.permissions.can_create_topic_group?.new ?? mayCreateTopics);
  return [{ type: 'ChannelPrivacyChanged', data: { channelId: channel.id, privacy, previousPrivacy } }];
};

/**
 * Who can see the channel once the changes are made. A private channel is never web-public: what is not said
 * follows from what is.
 *
 * @throws ApplicationError for contradictions
 */
export function privacyAfter({ privacy: before }: Channel, changes: ChannelChanges): ChannelPrivacy {
  const { isPrivate, isWebPublic, historyPublicToSubscribers } = changes;
  const inviteOnly = isPrivate ?? (isWebPublic === true ? false : before.inviteOnly);
  const after = privacyOf({
    inviteOnly,
    isWebPublic: isWebPublic ?? (isPrivate === undefined ? before.isWebPublic : false),
    historyPublicToSubscribers:
      historyPublicToSubscribers ?? (before.inviteOnly ? before.historyPublicToSubscribers : null),
  });
  if (!inviteOnly && historyPublicToSubscribers === false) throw failure('publicChannelHistoryProtected');
  return after;
}

function samePrivacy(a: ChannelPrivacy, b: ChannelPrivacy): boolean {
  return (
    a.inviteOnly === b.inviteOnly &&
    a.isWebPublic === b.isWebPublic &&
    a.historyPublicToSubscribers === b.historyPublicToSubscribers
  );
}
