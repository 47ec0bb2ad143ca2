import type { TimeSlice } from '../../runtime/time-slice.js';
import type { MessageDocument } from '../messages/message-document.js';
import type { QuerySession } from '../messages/query-session.js';
import type { MessageState } from '../messages/view/message-cache.js';

/** How many messages one step loads: their documents are large. */
const LOADED_AT_ONCE = 10;

/** Loads messages in order, without occupying the request thread for long: a hundred long ones are megabytes. */
export async function loadInSteps(
  session: Pick<QuerySession, 'load'>,
  states: readonly MessageState[],
  slice: TimeSlice,
): Promise<readonly MessageDocument[]> {
  const documents: MessageDocument[] = [];
  for (let from = 0; from < states.length; from += LOADED_AT_ONCE) {
    if (slice.isOver) await slice.next();
    const loaded = await session.load(states.slice(from, from + LOADED_AT_ONCE));
    documents.push(...loaded.map(({ document }) => document));
  }
  return documents;
}
