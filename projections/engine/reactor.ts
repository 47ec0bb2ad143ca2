import type { PersistedEvent } from '../../src/stores/event-store/port.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import type { Handlers } from '../../src/kernel/event-handlers.js';

/** How long, in milliseconds, a handler waits for a model that it reads: longer than the usual lag under load. */
export const REACTOR_WAIT = 10_000;

/**
 * A model does not include an event within {@link REACTOR_WAIT}. Nothing is wrong with the event: a reactor handles it again later, and a
 * request is refused as `unavailable`.
 */
export class ModelBehindError extends Error {
  override readonly name = 'ModelBehindError';

  /** @param model what lags, such as 'The directory' */
  constructor(model: string) {
    super(`${model} does not include the event yet`);
  }
}

/**
 * Does what must happen because of an event: a notice, an e-mail, the rest of a command that spans streams.
 *
 * A handler may get an event more than once: after a crash, or when another process takes over. Every effect is therefore recorded in the
 * log under a command id that is derived from the event, such as `commandIdOf([reactor, event.id])` (`src/stores/event-store/event-id.ts`;
 * with one more part where an event has several effects). Event ids derive from the command id, and the log writes nothing twice. That
 * the command was given before is recognised by its `causationId`, which must be the id of the handled event: some event stores write it
 * again if the stream has grown since. An effect outside of the server (an e-mail) first looks for its record in the log, and is recorded
 * afterwards.
 *
 * When a handler throws, it gets the same event again after a delay until it succeeds: nothing is skipped. A handler must decide about what
 * can never succeed, and record that. Errors that are not about the event (a store is unavailable, {@link ModelBehindError}, an
 * `ApplicationError` with status 503) do not count as failures of the reactor: they are logged as warnings, and it is not `halted`.
 *
 * On a fresh install, and whenever its checkpoint is missing, a reactor starts at the end of the log: it never handles past events again.
 */
export interface Reactor {
  /** In kebab case, unique among reactors. It names the checkpoint. */
  readonly name: string;
  /** By event type; other events are skipped. Built by `on` and `handlers` (`src/kernel/event-handlers.ts`). */
  readonly on: Handlers<(event: RecordedEvent) => Promise<void>>;
  /**
   * Which events of these types need handling, as far as their stored form tells; absent: all. Others are not even decoded, for reactors
   * that ignore most messages.
   */
  readonly concerns?: (event: PersistedEvent) => boolean;
  /**
   * A key of what an event is about; absent: events are handled one after another. Events of one command with different keys are handled
   * concurrently, a few at a time; those with the same key one after another.
   */
  readonly partitionOf?: (event: RecordedEvent) => number | string;
  /** Whether it ignores the erasable fields of its events: then these are not decrypted, and placeholders replace them. */
  readonly skipsDecryption?: boolean;
}
