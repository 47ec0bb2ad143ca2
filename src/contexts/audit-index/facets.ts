import { concernedBy, type Concerned, type NamedTopic } from '../../events/concerned.js';
import { messagesStream, MessageSent } from '../../events/messages.js';
import { UserRegistered, UserRoleChanged, type Role } from '../../events/users.js';
import { isEvent, type RecordedEvent } from '../../kernel/event.js';
import { eventCatalog } from '../../stores/event-catalog.js';
import { topicKey } from '../../events/values/message-text.js';

/** Whose content somebody changed: their own, or that of others. */
export type ContentOwner = 'own' | 'others';

/** More ids of a kind in one event are found by the blocks of ids that they lie in: a few, which hold others as well. */
const MAX_SINGLE_IDS = 16;

/**
 * Sizes of blocks, as powers of two. A set of ids is covered by two blocks of one size at most; whoever looks for an id asks for the
 * one block of each size that it lies in.
 */
const blockSizes = [0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40];

/** What an event is about, as far as it says so itself. */
export function concernsOf(event: Pick<RecordedEvent, 'type' | 'data'>): Concerned {
  return concernedBy(event, eventCatalog.find(event.type)?.erasable?.fields);
}

/** What is known of those whom an event is about, as of that event. */
export interface KnownBefore {
  /** The role of who acted; null: nobody did, or they have no account yet. */
  readonly role: Role | null;
  /** Who sent the message that it is about; null: it is about none, or that is not known. */
  readonly senderId: number | null;
}

/** What an event is found by. */
export function facetsOf(event: RecordedEvent, { role, senderId }: KnownBefore): readonly string[] {
  const { actorId } = event.metadata;
  const { people, channels, messages, stretches, topics } = concernsOf(event);
  const channelId = /^channel-(\d+)$/.exec(event.stream)?.[1];
  const messageId = messageOf(event);
  return [
    event.type,
    actorFacet(actorId),
    ...(role === null ? [] : [roleFacet(role)]),
    ...(actorId === null || senderId === null ? [] : [actorId === senderId ? 'own' : 'others']),
    ...covering('p', people, (id) => id !== actorId),
    ...covering('c', channelId === undefined ? channels : [...channels, Number(channelId)]),
    ...coveringMessages(messageId === null ? messages : [...messages, messageId], stretches),
    ...new Set(topics.map(topicFacet)),
  ];
}

export function actorFacet(actorId: number | null): string {
  return actorId === null ? 'server' : `a${actorId}`;
}

export function roleFacet(role: Role): string {
  return `r${role}`;
}

/** Topics that fold to the same key have the same facet, and few others have. */
export function topicFacet({ channelId, topic }: NamedTopic): string {
  return `t${channelId}.${hash(topicKey(topic)).toString(36)}`;
}

/** Every facet by which events about an id may be found. */
export function facetsAbout(kind: 'person' | 'channel' | 'message', id: number): readonly string[] {
  return blockSizes.map((size) => block(kind[0]!, size, id));
}

/** The message whose event it is; null: it is no event of one message. */
export function messageOf({ stream, revision, data }: RecordedEvent): number | null {
  if (stream === messagesStream) return revision + 1;
  const own = /^message-(\d+)$/.exec(stream)?.[1];
  if (own !== undefined) return Number(own);
  const named = (data as { readonly messageId?: unknown } | null)?.messageId;
  return typeof named === 'number' ? named : null;
}

/** What later events are to know of one: somebody's role, or a message's sender. */
export function learnedFrom(
  event: RecordedEvent,
):
  | { readonly kind: 'role'; readonly userId: number; readonly role: Role }
  | { readonly kind: 'sender'; readonly messageId: number; readonly senderId: number }
  | null {
  if (isEvent(event, MessageSent))
    return { kind: 'sender', messageId: event.revision + 1, senderId: event.data.senderId };
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
  let [least, most] = [Infinity, 0];
  for (const id of single) [least, most] = [Math.min(least, id), Math.max(most, id)];
  return blocksOver(prefix, least, most);
}

function coveringMessages(ids: readonly number[], stretches: Concerned['stretches']): readonly string[] {
  const single = covering('m', ids);
  if (stretches.length === 0) return single;
  if (stretches.length > MAX_SINGLE_IDS) {
    let [least, most] = [Infinity, 0];
    for (const { from, through } of stretches)
      [least, most] = [Math.min(least, from), Math.max(most, through)];
    return [...new Set([...single, ...blocksOver('m', least, most)])];
  }
  return [
    ...new Set([...single, ...stretches.flatMap(({ from, through }) => blocksOver('m', from, through))]),
  ];
}

/** The one or two blocks that ids from one to another lie in. */
function blocksOver(prefix: string, least: number, most: number): string[] {
  const fits = (size: number): boolean => Math.floor(most / 2 ** size) - Math.floor(least / 2 ** size) <= 1;
  const size = blockSizes.find(fits) ?? blockSizes.at(-1)!;
  return [...new Set([block(prefix, size, least), block(prefix, size, most)])];
}

function block(prefix: string, size: number, id: number): string {
  const number = size === 0 ? id : Math.floor(id / 2 ** size);
  return size === 0 ? `${prefix}${number}` : `${prefix}${number}x${size}`;
}

/** FNV-1a, 32 bits: it guards nothing, and what has the same is told apart by the event itself. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return value;
}
