import { subjectsOf, type EventSubjects, type NamedTopic } from '../../events/event-subjects.js';
import { MESSAGES_STREAM, MessageSent } from '../../events/messages.js';
import { UserRegistered, UserRoleChanged, type Role } from '../../events/users.js';
import { isEvent, type RecordedEvent } from '../../kernel/event.js';
import { fnv1a } from '../../kernel/fnv1a.js';
import { idAtRevision } from '../../kernel/ids.js';
import { eventCatalog } from '../../stores/event-catalog.js';
import { topicKey } from '../../events/values/message-text.js';

/** Whether somebody changed their own content or that of others. */
export type ContentOwner = 'own' | 'others';

/**
 * An event with more ids of one kind than this is indexed by the blocks of ids that contain them: only a few
 * blocks, which contain other ids too.
 */
const MAX_SINGLE_IDS = 16;

/**
 * Sizes of blocks of ids, as exponents of two. At most two blocks of one size cover a range of ids; a search for an id
 * looks up the one block of each size that contains it.
 */
const blockSizes = [0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40];

/** What an event is about, as far as the event itself says it. */
export function eventSubjects(event: Pick<RecordedEvent, 'type' | 'data'>): EventSubjects {
  return subjectsOf(event, eventCatalog.find(event.type)?.erasable?.fields);
}

/** Facts from earlier events that an event's facets depend on. */
interface KnownBefore {
  /** The actor's role; null: there is no actor, or they have no account yet. */
  readonly role: Role | null;
  /** The sender of the message that the event is about; null: no message, or unknown. */
  readonly senderId: number | null;
}

/** The facets by which an event is found. */
export function facetsOf(event: RecordedEvent, { role, senderId }: KnownBefore): readonly string[] {
  const { actorId } = event.metadata;
  const { people, channels, messages, ranges, topics } = eventSubjects(event);
  const channelId = /^channel-(\d+)$/.exec(event.stream)?.[1];
  const messageId = messageOf(event);
  const owner = contentOwner(actorId, senderId);
  return [
    event.type,
    actorFacet(actorId),
    ...(role === null ? [] : [roleFacet(role)]),
    ...(owner === null ? [] : [owner]),
    ...covering('p', people, (id) => id !== actorId),
    ...covering('c', channelId === undefined ? channels : [...channels, Number(channelId)]),
    ...coveringMessages(messageId === null ? messages : [...messages, messageId], ranges),
    ...new Set(topics.map(topicFacet)),
  ];
}

/** Whose content an actor changed; null: the actor is the server, or no message with a known sender is concerned. */
export function contentOwner(actorId: number | null, senderId: number | null): ContentOwner | null {
  if (actorId === null || senderId === null) return null;
  return actorId === senderId ? 'own' : 'others';
}

export function actorFacet(actorId: number | null): string {
  return actorId === null ? 'server' : `a${actorId}`;
}

export function roleFacet(role: Role): string {
  return `r${role}`;
}

/** Topics with the same key have the same facet; other topics rarely do, and the event itself tells them apart. */
export function topicFacet({ channelId, topic }: NamedTopic): string {
  return `t${channelId}.${fnv1a(topicKey(topic)).toString(36)}`;
}

/** Every facet by which events about an id may be found. */
export function facetsAbout(kind: 'person' | 'channel' | 'message', id: number): readonly string[] {
  return blockSizes.map((size) => block(kind[0]!, size, id));
}

/** Id of the message that the event belongs to; null: the event is not about a single message. */
export function messageOf({ stream, revision, data }: RecordedEvent): number | null {
  if (stream === MESSAGES_STREAM) return idAtRevision(revision);
  const own = /^message-(\d+)$/.exec(stream)?.[1];
  if (own !== undefined) return Number(own);
  const named = (data as { readonly messageId?: unknown } | null)?.messageId;
  return typeof named === 'number' ? named : null;
}

/** Facts that later events need: an account's role, or a message's sender. */
export function learnedFrom(
  event: RecordedEvent,
):
  | { readonly kind: 'role'; readonly userId: number; readonly role: Role }
  | { readonly kind: 'sender'; readonly messageId: number; readonly senderId: number }
  | null {
  if (isEvent(event, MessageSent))
    return { kind: 'sender', messageId: idAtRevision(event.revision), senderId: event.data.senderId };
  if (isEvent(event, UserRegistered, UserRoleChanged))
    return { kind: 'role', userId: event.data.userId, role: event.data.role };
  return null;
}

function covering(
  prefix: string,
  ids: readonly number[],
  isWanted = (_id: number): boolean => true,
): string[] {
  if (ids.length === 0) return [];
  const single = new Set(ids.filter(isWanted));
  if (single.size <= MAX_SINGLE_IDS) return [...single].map((id) => block(prefix, 0, id));
  let [min, max] = [Infinity, 0];
  for (const id of single) [min, max] = [Math.min(min, id), Math.max(max, id)];
  return blocksOver(prefix, min, max);
}

function coveringMessages(ids: readonly number[], ranges: EventSubjects['ranges']): readonly string[] {
  const single = covering('m', ids);
  if (ranges.length === 0) return single;
  if (ranges.length > MAX_SINGLE_IDS) {
    let [min, max] = [Infinity, 0];
    for (const { from, through } of ranges) [min, max] = [Math.min(min, from), Math.max(max, through)];
    return [...new Set([...single, ...blocksOver('m', min, max)])];
  }
  return [...new Set([...single, ...ranges.flatMap(({ from, through }) => blocksOver('m', from, through))])];
}

/** The one or two blocks that cover a range of ids. */
function blocksOver(prefix: string, min: number, max: number): string[] {
  const fits = (size: number): boolean => Math.floor(max / 2 ** size) - Math.floor(min / 2 ** size) <= 1;
  const size = blockSizes.find(fits) ?? blockSizes.at(-1)!;
  return [...new Set([block(prefix, size, min), block(prefix, size, max)])];
}

function block(prefix: string, size: number, id: number): string {
  const number = size === 0 ? id : Math.floor(id / 2 ** size);
  return size === 0 ? `${prefix}${number}` : `${prefix}${number}x${size}`;
}
