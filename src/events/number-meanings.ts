/**
 * What a number in the data of an event is: the id of a person, a channel or a message, or something else
 * (`other`). `ranges`: ranges of message ids; `object`: an object whose fields have their own meanings.
 */
type NumberMeaning = 'person' | 'channel' | 'message' | 'ranges' | 'object' | 'other';

/**
 * By the name of a field in the data of events, at any depth. A test fails for an event with a number under
 * a name that is not listed.
 */
const meanings: Readonly<Record<string, NumberMeaning>> = {
  ...meaning('person', [
    'added',
    'authorId',
    'botId',
    'creatorId',
    'direct_members',
    'givenToIds',
    'inviterId',
    'memberIds',
    'mutedUserId',
    'ownerId',
    'passedUserIds',
    'removed',
    'reporterId',
    'senderId',
    'subscriberIds',
    'topicParticipantIds',
    'uploaderId',
    'userId',
    'userIds',
    'viewerId',
    'actorId',
    'aboutId',
  ]),
  ...meaning('channel', [
    'channelId',
    'channelIds',
    'registeringChannelId',
    'sendingChannelId',
    'moderation_request_channel_id',
    'new_stream_announcements_stream_id',
    'signup_announcements_stream_id',
    'zulip_update_announcements_stream_id',
  ]),
  ...meaning('message', ['messageId', 'messageIds', 'adoptedIds', 'settledIds']),
  ranges: 'ranges',
  asked: 'object',
  ...meaning('other', [
    'left',
    'caseId',
    'caseIds',
    'after',
    'afterMessageId',
    'bounds',
    'count',
    'damagedEvents',
    // Each part of the remaining work gets an event of its own.
    'continuation',
    'deletionDelayDays',
    'deviceId',
    'digest_weekday',
    'direct_subgroups',
    'domainId',
    'draftId',
    'draftIds',
    'dueAt',
    'emojiId',
    'except',
    'expiresAt',
    'exportId',
    'fieldId',
    'fieldIds',
    'fieldType',
    'folderId',
    'folderIds',
    'giphy_rating',
    'groupId',
    'groupIds',
    'height',
    'interface',
    'invitationId',
    'linkId',
    'linkifierId',
    'linkifierIds',
    'media_preview_size',
    'messageRetentionDays',
    'message_content_delete_limit_seconds',
    'message_content_edit_limit_seconds',
    'message_retention_days',
    'messages',
    'missingFiles',
    'move_messages_between_streams_limit_seconds',
    'move_messages_within_stream_limit_seconds',
    'org_type',
    'password_min_guesses',
    'playgroundId',
    'policy',
    'position',
    'previousRole',
    'pushKeyId',
    'reminderId',
    'retryAt',
    'revision',
    'role',
    'scheduledId',
    'security_retention_days',
    'size',
    'snippetId',
    'subgroupIds',
    'submessageId',
    'since',
    'throughMessageId',
    'time',
    'timestamp',
    'to',
    'type',
    'until',
    'uploadId',
    'value',
    'video_chat_provider',
    'viewId',
    'visible',
    'voidedIds',
    'waiting_period_threshold',
    'width',
  ]),
};

/** Names with another meaning in one type of event. */
const exceptions: Readonly<Record<string, NumberMeaning>> = {
  // Looking at a message or a channel does not change it, so audits are not listed under it; audits of a
  // person are.
  'LogAudited.channelId': 'other',
  'LogAudited.messageId': 'other',
  // They are among `ranges`.
  'MessagesMarkedRead.changed': 'other',
  'UserGroupSubgroupsChanged.added': 'other',
  'UserGroupSubgroupsChanged.removed': 'other',
};

function meaning(kind: NumberMeaning, names: readonly string[]): Readonly<Record<string, NumberMeaning>> {
  return Object.fromEntries(names.map((name) => [name, kind]));
}

/** What numbers under a name mean in events of a type; undefined: not listed. */
export function meaningOf(type: string, name: string): NumberMeaning | undefined {
  // A permission is a group, or an object with members.
  return exceptions[`${type}.${name}`] ?? meanings[name] ?? (/_groups?$/.test(name) ? 'other' : undefined);
}
