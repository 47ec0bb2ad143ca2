import type { EventLog } from '../stores/event-store/event-log.js';
import { eventsOfStream, type PersistedEvent } from '../stores/event-store/port.js';
import { keyIdOf } from '../stores/event-store/event-reading.js';
import { revisionOfId } from '../kernel/ids.js';
import { MESSAGES_STREAM, messageStream } from '../events/messages.js';
import { personalStream, scheduledMessageEvents } from '../events/personal.js';

/** A message to be erased, and the position of the log at which legal holds are evaluated for it. */
export interface DeletedMessage {
  readonly messageId: number;
  readonly position: number;
}

/** A message's events in the log. */
export interface LoggedMessage {
  readonly messageId: number;
  readonly sent: PersistedEvent;
  /** Its later events. */
  readonly changes: readonly PersistedEvent[];
}

/** Finds messages in the log, and all keys of events that contain their texts. */
export class MessageTraces {
  constructor(private readonly log: EventLog) {}

  /** Unknown ids are skipped. */
  async of(messageIds: readonly number[]): Promise<readonly LoggedMessage[]> {
    const found = await Promise.all(messageIds.map((messageId) => this.ofOne(messageId)));
    return found.filter((message) => message !== null);
  }

  /**
   * Ids of the keys that protect the message's text: its own key, which its edits share, the keys of its attachments, and the key of the
   * scheduled message that it was sent from.
   */
  async keysOf({ sent, changes }: LoggedMessage): Promise<readonly string[]> {
    return [sent.id, ...changes.flatMap((change) => keyIdOf(change) ?? []), ...(await this.keysOfPlan(sent))];
  }

  private async ofOne(messageId: number): Promise<LoggedMessage | null> {
    const from = revisionOfId(messageId);
    const [sent] = await this.log.store.readStream(MESSAGES_STREAM, { from, limit: 1 });
    if (sent?.revision !== from) return null;
    const changes: PersistedEvent[] = [];
    for await (const change of eventsOfStream(this.log.store, messageStream(messageId))) changes.push(change);
    return { messageId, sent, changes };
  }

  /** The event that caused a scheduled message to be sent is in its sender's stream, after all events about it. */
  private async keysOfPlan({ data, metadata }: PersistedEvent): Promise<readonly string[]> {
    const cause = metadata['causationId'];
    if (typeof cause !== 'string') return [];
    const keys = new Map<unknown, string[]>();
    for await (const event of eventsOfStream(this.log.store, personalStream(Number(data['senderId'])))) {
      if (!scheduledTypes.has(event.type)) continue;
      const planned = event.data['scheduledId'];
      const key = keyIdOf(event);
      if (key !== null) keys.set(planned, [...(keys.get(planned) ?? []), key]);
      if (event.id === cause) return keys.get(planned) ?? [];
    }
    return [];
  }
}

const scheduledTypes: ReadonlySet<string> = new Set(scheduledMessageEvents.map(({ type }) => type));
