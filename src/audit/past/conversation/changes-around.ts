import type { PastSources } from '../past-sources.js';
import { conversationChanges, type ChangesPage, type ConversationChange } from './changes.js';
import type { Conversation } from './conversation.js';

/** The changes of a conversation by which somebody can go on from a moment. Null: there is no such change. */
export interface ChangesAround {
  /** The last one at the moment or before. */
  readonly current: ConversationChange | null;
  /** The last one before the moment. */
  readonly before: ConversationChange | null;
  /** The first one after the moment. */
  readonly next: ConversationChange | null;
  /** The first and the last one of all. */
  readonly first: ConversationChange | null;
  readonly last: ConversationChange | null;
}

/**
 * Finds the changes around a position of the log.
 *
 * @throws ApplicationError `unavailable` while the read model has not caught up; the error of the deadline
 */
export async function changesAround(
  sources: PastSources,
  conversation: Conversation,
  position: number,
): Promise<ChangesAround> {
  const few = (beyond: number, order: ChangesPage['order'], limit = 1) =>
    searchOn(sources, { conversation, beyond, order, limit });
  const [current = null, previous = null] = await few(position + 1, -1, 2);
  const before = current?.position === position ? previous : current;
  const [next = null] = await few(position, 1);
  // Where nothing lies beyond the nearest change, it is the outermost one.
  const first = before === null ? (current ?? next) : ((await few(-1, 1))[0] ?? null);
  const last = next === null ? current : ((await few(Number.MAX_SAFE_INTEGER, -1))[0] ?? null);
  return { current, before, next, first, last };
}

/** Searches on until it has found the changes, or there are no more: a page may end before it has found any. */
async function searchOn(sources: PastSources, page: ChangesPage): Promise<readonly ConversationChange[]> {
  const found: ConversationChange[] = [];
  for (let beyond: number | null = page.beyond; beyond !== null && found.length < page.limit;) {
    sources.deadline.throwIfOver();
    const next = await conversationChanges(sources, { ...page, beyond });
    found.push(...next.changes);
    beyond = next.beyond;
  }
  return found.slice(0, page.limit);
}
