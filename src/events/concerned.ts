import type { DomainEvent } from '../kernel/event.js';

/** A topic as events name it. */
export interface NamedTopic {
  readonly channelId: number;
  readonly topic: string;
}

/** A range of message ids, both ends included. */
export interface NamedRange {
  readonly from: number;
  readonly through: number;
}

/** The people, channels, messages and topics in the data of an event. Ids may be repeated. */
export interface Concerned {
  readonly people: readonly number[];
  readonly channels: readonly number[];
  readonly messages: readonly number[];
  readonly stretches: readonly NamedRange[];
  readonly topics: readonly NamedTopic[];
}

type Kind = 'person' | 'channel' | 'message' | 'stretches' | 'fields' | 'nothing';

/**
 * What numbers mean by the name of their field in the data of events, at any depth. `nothing`: neither a
 * person nor a channel nor a message, nor anything inside; `fields`: each field inside has its own meaning. A
 * test fails for an event with a number under a name that is not listed.
 */
const meanings: Readonly<Record<string, Kind>> = {
  ...meaning('person', [
    'added',
    'authorId',
    'botId',
    'creatorId',
    'direct_members',
    'height',
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
  ranges: 'stretches',
  asked: 'fields',
  ...meaning('nothing', [
    'left',
    'caseId',
    'caseIds',
    'after',
    'afterMessageId',
    'bounds',
    'count',
    'damagedEvents',
    // Each of these gets an event of its own.
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
const exceptions: Readonly<Record<string, Kind>> = {
  // Looking at a message or a channel does not change it, so audits are not listed under it; audits of a
  // person are.
  'LogAudited.channelId': 'nothing',
  'LogAudited.messageId': 'nothing',
  'UserGroupSubgroupsChanged.added': 'nothing',
  'UserGroupSubgroupsChanged.removed': 'nothing',
};

function meaning(kind: Kind, names: readonly string[]): Readonly<Record<string, Kind>> {
  return Object.fromEntries(names.map((name) => [name, kind]));
}

/** What numbers under a name mean in events of a type; undefined: not listed. */
export function meaningOf(type: string, name: string): Kind | undefined {
  // A permission is a group, or an object with members.
  return exceptions[`${type}.${name}`] ?? meanings[name] ?? (/_groups?$/.test(name) ? 'nothing' : undefined);
}

interface Found {
  readonly people: number[];
  readonly channels: number[];
  readonly messages: number[];
  readonly stretches: NamedRange[];
  readonly topics: NamedTopic[];
}

/**
 * The people, channels, messages and topics that an event concerns. Pure.
 *
 * @param erasable names of the fields of its data that can be erased: these are skipped
 */
export function concernedBy({ type, data }: DomainEvent, erasable: readonly string[] = []): Concerned {
  const found: Found = { people: [], channels: [], messages: [], stretches: [], topics: [] };
  if (isFields(data)) look(isClear(data, erasable) ? data : clearOf(data, erasable), { type, found });
  return found;
}

type Fields = Readonly<Record<string, unknown>>;

function isClear(data: Fields, erasable: readonly string[]): boolean {
  return erasable.every((name) => !(name in data));
}

function clearOf(data: Fields, erasable: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !erasable.includes(name)));
}

interface Looking {
  readonly type: string;
  readonly found: Found;
}

function look(data: Fields, looking: Looking): void {
  takeTopics(data, looking.found);
  for (const name of Object.keys(data)) {
    const value = data[name];
    if (typeof value === 'number' || (typeof value === 'object' && value !== null))
      lookAt(name, value, looking);
  }
}

function lookAt(name: string, value: unknown, looking: Looking): void {
  const kind = meaningOf(looking.type, name);
  if (kind === 'nothing') {
    // A permission may name people.
    if (isFields(value) && 'direct_members' in value) look(value, looking);
  } else if (kind === 'stretches') takeStretches(value, looking.found);
  else if (kind !== undefined && kind !== 'fields') takeIds(value, idsOf(kind, looking.found));
  else for (const one of [value].flat()) if (isFields(one)) look(one, looking);
}

function idsOf(kind: 'person' | 'channel' | 'message', found: Found): number[] {
  if (kind === 'person') return found.people;
  return kind === 'channel' ? found.channels : found.messages;
}

function takeIds(value: unknown, into: number[]): void {
  for (const id of Array.isArray(value) ? (value as readonly unknown[]) : [value])
    if (typeof id === 'number' && id > 0) into.push(id);
}

function takeStretches(value: unknown, { stretches }: Found): void {
  if (!Array.isArray(value)) return;
  for (const one of value as readonly unknown[])
    if (isFields(one)) stretches.push({ from: Number(one['from']), through: Number(one['through']) });
}

/** A topic is in the same object as its channel; in a move, the new topic is beside the previous place. */
function takeTopics(data: Fields, { topics }: Found): void {
  const { channelId, topic, newTopic, newChannel, selection } = data;
  if (typeof channelId === 'number' && typeof topic === 'string') topics.push({ channelId, topic });
  if (typeof newTopic !== 'string' || !isFields(selection)) return;
  const to = (isFields(newChannel) ? newChannel : selection)['channelId'];
  if (typeof to === 'number') topics.push({ channelId: to, topic: newTopic });
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
