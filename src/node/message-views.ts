import type { PastMoment } from '../audit/moment.js';
import { readMessageTimeline } from '../audit/message-timeline.js';
import type { PlacementBefore } from '../audit/message-track.js';
import { KnownNames } from '../audit/queries/known-names.js';
import { describedTimeline } from '../audit/described-timeline.js';
import { TaskDeadline } from '../reader-threads/query-deadline.js';
import type { PastApi } from '../audit/past/past-api.js';
import type { MessageViews, ViewsInput } from '../audit/past/view-reconstructions.js';
import { viewsOf, type ViewsOptions } from '../audit/past/visibility.js';
import type { MessageDocument } from '../contexts/messages/message-document.js';
import type { EventLog } from '../stores/event-store/event-log.js';
import type { PastNode } from './past-node.js';

/** The log, and a function that opens its past. */
export interface PastOfLog {
  readonly log: EventLog;
  readonly open: (moment: PastMoment & { readonly position: number }) => Promise<PastNode>;
}

/**
 * Reads from a past read model where a message was before a move: the log alone does not tell whether the move
 * included the message.
 */
export function placementsIn({ open }: Pick<PastOfLog, 'open'>): PlacementBefore {
  return async (messageId, { position }) => {
    const node = await open({ position: position - 1 });
    try {
      const model = await node.models.get('messages');
      const message = await model.collection<MessageDocument>('messages').findOne({ _id: messageId });
      return message?.arrival ?? null;
    } finally {
      await node.close();
    }
  };
}

/**
 * The history of a message, and what a person could see of it.
 *
 * @returns null when no message has this id
 */
export async function viewsOfMessage(
  past: PastOfLog,
  { messageId, userId }: ViewsInput,
  options: ViewsOptions = {},
): Promise<MessageViews | null> {
  const { log } = past;
  const life = await readMessageTimeline(log, messageId, { placementBefore: placementsIn(past) });
  if (life === null) return null;
  const views = await withPastApi(past, life.steps[0]!.position, (node, api) =>
    viewsOf({ node, api, log }, { life, userId }, options),
  );
  const { signal } = options;
  const deadline = new TaskDeadline({
    deadline: () => (signal === undefined ? null : { signal, at: Infinity }),
  });
  const events = life.steps.map(({ event }) => event);
  const sentences = await new KnownNames(log).sentencesOf(events, deadline);
  return { life: describedTimeline(life, sentences), views };
}

/** Opens the state at a position, and the API over it. */
async function withPastApi<Result>(
  { open }: PastOfLog,
  position: number,
  use: (node: PastNode, api: PastApi) => Promise<Result>,
): Promise<Result> {
  const node = await open({ position });
  try {
    // Imported only here, because it loads the whole application.
    const { openPastApi } = await import('./past-api.js');
    const api = await openPastApi(node);
    try {
      return await use(node, api);
    } finally {
      await api.close();
    }
  } finally {
    await node.close();
  }
}
