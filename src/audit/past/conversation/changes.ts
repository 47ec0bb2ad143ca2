import { budgets } from '../../../kernel/budgets.js';
import { revisionOfId } from '../../../kernel/ids.js';
import type { ChangeKind, MessageChangeDocument } from '../../../contexts/messages/message-document.js';
import { MESSAGES_STREAM } from '../../../events/messages.js';
import type { ModelStore } from '../../../stores/read-store/port.js';
import type { PastSources } from '../past-sources.js';
import { candidates } from './candidates.js';
import { isIn, presentFilter, type Conversation } from './conversation.js';
import { lastMessageAt, openPastConversation } from './past-conversation-view.js';

/** Which changes of a conversation to list. */
export interface ChangesPage {
  readonly conversation: Conversation;
  /** Only changes beyond this position of the log, in the direction of `order`. */
  readonly beyond: number;
  /** 1: later changes, oldest first; -1: earlier changes, newest first. */
  readonly order: 1 | -1;
  readonly limit: number;
}

/** A change of a conversation. */
export interface ConversationChange {
  readonly position: number;
  /** Milliseconds since the UNIX epoch. */
  readonly time: number;
  readonly kind: 'sent' | ChangeKind;
  /** Null: the server itself. */
  readonly actor_id: number | null;
  /** At that time; null: the server itself, or the name is unknown. */
  readonly actor_name: string | null;
  /** For a move, the first message that it included. */
  readonly message_id: number;
  readonly count: number;
}

type NamelessChange = Omit<ConversationChange, 'actor_name'>;

/** Changes of a conversation, in the requested order. */
export interface ConversationChanges {
  readonly changes: readonly ConversationChange[];
  /** The position beyond which the next page starts; null: there are no more. */
  readonly beyond: number | null;
}

/**
 * Lists changes of a conversation.
 *
 * @throws ApplicationError `unavailable` while the read model has not caught up; the error of the deadline
 */
export async function conversationChanges(
  sources: PastSources,
  page: ChangesPage,
): Promise<ConversationChanges> {
  const model = await sources.messages.model();
  const { changes: sent, beyond: through } = await sendings(sources, page);
  const later = await laterChanges(model, page);
  const isBefore = (position: number, other: number): boolean => (position - other) * page.order < 0;
  // Changes beyond the position up to which sent messages were searched belong to the next page.
  const merged = [...sent, ...later]
    .filter(({ position }) => through === null || isBefore(position, through) || position === through)
    .sort((one, other) => (one.position - other.position) * page.order);
  const changes = await withNames(sources, merged.slice(0, page.limit));
  const isAll = through === null && merged.length <= page.limit && later.length < page.limit;
  return { changes, beyond: isAll ? null : (changes.at(-1)?.position ?? through) };
}

async function withNames(
  { names, deadline }: PastSources,
  changes: readonly NamelessChange[],
): Promise<readonly ConversationChange[]> {
  const known = await names.lookup(deadline);
  return changes.map((change) => ({
    ...change,
    actor_name: change.actor_id === null ? null : known.nameAt('person', change.actor_id, change.position),
  }));
}

interface Sendings {
  readonly changes: readonly NamelessChange[];
  /** The position up to which messages were searched; null: there are no more. */
  readonly beyond: number | null;
}

async function sendings(
  sources: PastSources,
  { conversation, beyond, order, limit }: ChangesPage,
): Promise<Sendings> {
  const { log, deadline } = sources;
  const head = (await log.store.head()) ?? 0;
  const at = { position: head, now: 0, lastMessageId: Number.MAX_SAFE_INTEGER };
  const scene = await openPastConversation(sources, { conversation, at, viewerId: null });
  const last = await lastMessageAt(log.store, order === 1 ? beyond : beyond - 1);
  const search = { conversation, since: -1, from: order === 1 ? last + 1 : last, order };
  const changes: NamelessChange[] = [];
  let looked = 0;
  let position: number | null = null;
  for await (const message of candidates(scene.model, search, deadline)) {
    if (changes.length >= limit || looked >= budgets.pastCandidates.max) {
      position ??= beyond;
      return { changes, beyond: position };
    }
    looked += 1;
    await scene.know([message]);
    const isHere = isIn(scene.placeAt(message, -1), conversation);
    const isLastLook = looked === budgets.pastCandidates.max;
    if (!isHere && !isLastLook) continue;
    const [sent] = await log.store.readStream(MESSAGES_STREAM, { from: revisionOfId(message._id), limit: 1 });
    if (sent === undefined) continue;
    position = sent.position;
    if (!isHere) continue;
    const { at: time, actorId } = sent.metadata as { readonly at: number; readonly actorId: number | null };
    const change = { kind: 'sent', actor_id: actorId, message_id: message._id, count: 1 } as const;
    changes.push({ position: sent.position, time, ...change });
  }
  return { changes, beyond: null };
}

async function laterChanges(
  model: ModelStore,
  { conversation, beyond, order, limit }: ChangesPage,
): Promise<readonly NamelessChange[]> {
  const position = order === 1 ? { $gt: beyond } : { $lt: beyond };
  // A move within the conversation is recorded as leaving one place and as coming to another.
  const found = await model
    .collection<MessageChangeDocument>('message_changes')
    .find({ ...presentFilter(conversation), position }, { sort: { position: order }, limit: limit * 2 });
  const byPosition = new Map<number, MessageChangeDocument>();
  for (const change of found)
    if (change.kind === 'came' || !byPosition.has(change.position)) byPosition.set(change.position, change);
  return [...byPosition.values()]
    .slice(0, limit)
    .map(({ at, kind, actorId, messageId, count, ...change }) => ({
      position: change.position,
      time: at,
      kind,
      actor_id: actorId,
      message_id: messageId,
      count,
    }));
}
