import { MessageDeleted, messageStream, MessageSent, MESSAGES_STREAM } from '../../events/messages.js';
import { isEvent, type Recorded } from '../../kernel/event.js';
import { revisionOfId } from '../../kernel/ids.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import { pagesOfStream, type EventStore } from '../../stores/event-store/port.js';
import { decodeReadable, isReadable } from '../../stores/event-store/readable-events.js';

/** The sending of a message; null: there is none, or it cannot be read. */
export async function sendingOf(
  log: EventLog,
  messageId: number,
): Promise<Recorded<typeof MessageSent> | null> {
  const from = revisionOfId(messageId);
  const [event] = await decodeReadable(log, await log.store.readStream(MESSAGES_STREAM, { from, limit: 1 }));
  return event !== undefined && isReadable(event) && isEvent(event, MessageSent) ? event : null;
}

const PAGE = 1_000;

/**
 * The position at which a message was deleted; null: it was not.
 *
 * @param onStep called for each page; an error thrown by it ends the search
 */
export async function deletionOf(
  store: EventStore,
  messageId: number,
  onStep: () => void = () => {},
): Promise<number | null> {
  for await (const page of pagesOfStream(store, messageStream(messageId), { pageSize: PAGE })) {
    onStep();
    const deletion = page.find(({ type }) => type === MessageDeleted.type);
    if (deletion !== undefined) return deletion.position;
  }
  return null;
}
