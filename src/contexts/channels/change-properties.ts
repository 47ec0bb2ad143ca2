import { failure } from '../../kernel/errors.js';
import { isOwner } from '../../access/records/roles.js';
import type { Channel } from '../../access/records/channel.js';
import type { ChannelUpdateContext, DecideChange } from './channel-changes.js';
import { privacyAfter } from './change-privacy.js';
import { assertFolder, assertMayBeDefault, assertMaySetTopicsPolicy } from './channel-settings.js';
import type { ChannelDirectoryEvent, ChannelProperties, TopicsPolicy } from '../../events/channels.js';

/** Changes retention (owners only), topics policy, folder, and whether new people are subscribed. */
export const changeProperties: DecideChange = (channel, changes, context) => {
  const { user: caller, moment } = context;
  const { messageRetentionDays, topicsPolicy, isDefault, folderId } = changes;
  if (messageRetentionDays !== undefined && !isOwner(caller)) throw failure('ownerRequired');
  if (folderId !== undefined) assertFolder(moment, folderId);
  if (isDefault === true && (changes.isArchived ?? channel.isArchived)) throw failure('invalidChannel');
  if (isDefault !== undefined && isDefault !== channel.isDefault) {
    assertMayBeDefault(
      caller,
      isDefault ? privacyAfter(channel, changes) : { ...channel.privacy, inviteOnly: false },
    );
  }
  if (topicsPolicy !== undefined) assertTopicsPolicy(topicsPolicy, context);
  return propertiesChanged(channel, { messageRetentionDays, topicsPolicy, isDefault, folderId });
};

function assertTopicsPolicy(policy: TopicsPolicy, context: ChannelUpdateContext): void {
  const { moment, user: caller, hasOnlyEmptyTopic } = context;
  assertMaySetTopicsPolicy(moment, caller, policy);
  if (policy === 'empty_topic_only' && !hasOnlyEmptyTopic) throw failure('channelHoldsTopics');
}

type AskedProperties = { readonly [Name in keyof ChannelProperties]: ChannelProperties[Name] | undefined };

function propertiesChanged(channel: Channel, asked: AskedProperties): ChannelDirectoryEvent[] {
  const names = (Object.keys(asked) as (keyof ChannelProperties)[]).filter(
    (name) => asked[name] !== undefined && asked[name] !== channel[name],
  );
  if (names.length === 0) return [];
  const properties = Object.fromEntries(names.map((name) => [name, asked[name]]));
  const previousProperties = Object.fromEntries(names.map((name) => [name, channel[name]]));
  return [
    { type: 'ChannelPropertiesChanged', data: { channelId: channel.id, properties, previousProperties } },
  ];
}
