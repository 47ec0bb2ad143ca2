import { readPage, type PageRequest } from '../../../src/contexts/messages/narrow/page.js';
import { MAX_MESSAGE_ID } from '../../../src/contexts/messages/narrow/sources.js';
import { parseNarrow } from '../../../src/contexts/messages/narrow/terms.js';
import { QuerySession } from '../../../src/contexts/messages/query-session.js';
import { MessageCache } from '../../../src/contexts/messages/view/message-cache.js';
import { isRefusal } from '../../../src/kernel/errors.js';
import type { ModelStore } from '../../../src/stores/read-store/port.js';
import { parameterOf, type Asked } from './every-narrow.js';
import { readerOf } from './narrow-reader.js';
import { recordingModel, type RecordedQuery } from './recording-model.js';

/** From either end, and around a message. */
export const pageRequests: readonly PageRequest[] = [
  { anchor: { type: 'id', id: MAX_MESSAGE_ID }, includeAnchor: true, before: 10, after: 0 },
  { anchor: { type: 'id', id: 0 }, includeAnchor: true, before: 0, after: 10 },
  { anchor: { type: 'id', id: 230 }, includeAnchor: true, before: 5, after: 5 },
];

const context = readerOf({ readFrom: 24, readThrough: 100_000 });

/** Asks for a page of a narrow; one that contradicts itself has none. */
export async function askFor(
  session: QuerySession,
  terms: readonly Asked[],
  request: PageRequest,
): Promise<void> {
  try {
    const narrow = await session.compile(parseNarrow(parameterOf(terms)));
    await readPage(narrow, request, session.search.states);
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}

/** What is asked of a model for a page of a narrow, for the person of {@link readerOf}. */
export async function queriesOf(
  model: ModelStore,
  terms: readonly Asked[],
  request: PageRequest,
): Promise<readonly RecordedQuery[]> {
  const recording = recordingModel(model);
  const session = new QuerySession(recording.model, context, new MessageCache());
  await askFor(session, terms, request);
  return recording.queries;
}
