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
  const few = new FewChanges(sources, conversation);
  const [current = null, previous = null] = await few.find(position + 1, -1, 2);
  const before = current?.position === position ? previous : current;
  const [next = null] = await few.find(position, 1, 1);
  // Where nothing lies beyond the nearest change, it is the outermost one.
  const first = before === null ? (current ?? next) : ((await few.find(-1, 1, 1))[0] ?? null);
  const last = next === null ? current : ((await few.find(Number.MAX_SAFE_INTEGER, -1, 1))[0] ?? null);
  return { current, before, next, first, last };
}

class FewChanges {
  constructor(
    private readonly sources: PastSources,
    private readonly conversation: Conversation,
  ) {}

  /** Searches on until it has found the changes, or there are no more: a page may end before it has found any. */
  async find(
    from: number,
    order: ChangesPage['order'],
    limit: number,
  ): Promise<readonly ConversationChange[]> {
    const found: ConversationChange[] = [];
    for (let beyond: number | null = from; beyond !== null && found.length < limit;) {
      this.sources.deadline.throwIfOver();
      const { conversation } = this;
      const page = await conversationChanges(this.sources, { conversation, beyond, order, limit });
      found.push(...page.changes);
      beyond = page.beyond;
    }
    return found.slice(0, limit);
  }
}
