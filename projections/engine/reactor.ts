import type { PersistedEvent } from '../../src/stores/event-store/port.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import type { Handlers } from '../../src/kernel/on.js';

/** How long, in milliseconds, a handler waits for a model that it reads from: longer than a busy one lags. */
export const REACTOR_WAIT = 10_000;

/**
 * Something that must happen because of an event: a notice, an e-mail, the rest of a command that spans streams.
 *
 * An event may come to its handler more than once: after a crash, or when another process takes over. So every effect is
 * recorded in the log under a command id that follows from the event, as in
 * `commandIdOf([reactor, event.id])` (`src/stores/event-store/event-id.ts`; one more part where an event has several effects):
 * event ids derive from the command id, and the log writes nothing twice. An effect on the world outside (an e-mail)
 * looks into the log for its record first and records itself afterwards.
 *
 * A handler that throws is given the same event again, after a while, until it succeeds: nothing is skipped. What can
 * never succeed is for the handler to decide and to record.
 *
 * On a fresh install, and whenever its checkpoint is gone, a reactor begins at the head of the log: history is never
 * acted on again.
 */
export interface Reactor {
  /** Kebab-case, unique among reactors; names the checkpoint. */
  readonly name: string;
  /** By event type; other events pass it by. Put together by `on` and `handlers` (`src/kernel/on.ts`). */
  readonly on: Handlers<(event: RecordedEvent) => Promise<void>>;
  /**
   * Which events of these types there is anything to do about, as far as their stored form tells; absent: all. The others are
   * not even decoded: for reactors that have nothing to do about most messages.
   */
  readonly concerns?: (event: PersistedEvent) => boolean;
  /**
   * A key of what an event is about; absent: events are acted on one after another. Those of one command with different keys are acted
   * on at the same time, a few at once, those with the same key one after another.
   */
  readonly partitionOf?: (event: RecordedEvent) => number | string;
  /** It does not look at what is erasable in its events: that is not decrypted for it, and placeholders stand there. */
  readonly clearOnly?: boolean;
}
