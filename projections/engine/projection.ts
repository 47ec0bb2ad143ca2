import type { AnyEventDefinition, Recorded, RecordedEvent } from '../../src/kernel/event.js';
import { byType, type Handlers } from '../../src/kernel/event-handlers.js';
import type { Collection, Filter, Keyed, ModelDefinition, Update } from '../../src/stores/read-store/port.js';

/** Identifies a document of the projection's own model. */
export interface DocumentReference {
  readonly collection: string;
  readonly id: number | string;
}

/** A change of a model that an event causes. The engine adds its own fields, and guards each change against being applied twice. */
export type Change =
  | { readonly put: Keyed; readonly collection: string }
  | { readonly remove: number | string; readonly collection: string }
  | {
      readonly updateMany: { readonly filter: Filter; readonly update: Update };
      readonly collection: string;
    };

/** The documents that {@link BatchedHandler.reads} named, as they were after the previous event. */
export interface LoadedDocuments {
  /** Null: there is no such document. @throws Error for a document that `reads` did not name */
  get<D extends Keyed>(collection: string, id: number | string): D | null;
}

/** Queries the projection's own model, as it was after the previous event. */
export interface ModelReader {
  collection<D extends Keyed>(name: string): Collection<D>;
}

/** The change that removes a document, which need not exist. */
export function removed({ collection, id }: DocumentReference): readonly Change[] {
  return [{ collection, remove: id }];
}

/** The common case: needs only documents whose ids are in the event, so that many events share one batch. */
export interface BatchedHandler<Event = RecordedEvent> {
  readonly reads?: (event: Event) => readonly DocumentReference[];
  /** A pure function. */
  readonly apply: (event: Event, documents: LoadedDocuments) => readonly Change[];
}

/** For events that query the model, or change documents by a filter: all earlier events are committed first. */
interface QueryingHandler<Event = RecordedEvent> {
  readonly applyAlone: (event: Event, model: ModelReader) => Promise<readonly Change[]>;
}

/** Like {@link QueryingHandler}, but consecutive events of the type share a batch. */
export interface RunHandler<Event = RecordedEvent> {
  readonly applyRun: (events: readonly Event[], model: ModelReader) => Promise<readonly Change[]>;
}

/**
 * Like {@link QueryingHandler}, for events that may change any number of documents. Slices are committed a few at a time, so that memory is
 * bounded; no slice may depend on the changes of another. After an interruption the whole event is applied again. So only the last slice
 * may change the documents that tell the handler what there is to do.
 */
export interface SlicedHandler<Event = RecordedEvent> {
  readonly applySlices: (event: Event, model: ModelReader) => AsyncIterable<readonly Change[]>;
}

export type Handler<Event = RecordedEvent> =
  BatchedHandler<Event> | QueryingHandler<Event> | RunHandler<Event> | SlicedHandler<Event>;

/** A read model: how it is stored, and how each event changes it. */
export interface Projection extends ModelDefinition {
  /** By event type; other events are skipped. Built by {@link on} and {@link handlers}. */
  readonly on: Handlers<Handler>;
  /** Whether only background work reads it, and no request. */
  readonly isForBackgroundWork?: boolean;
  /**
   * Whether nobody waits for it: no reply to a write waits for it, a starting node does not wait until it is built, and its lag does not
   * make the node refuse writes. Its readers are notified of its progress.
   */
  readonly isBackground?: boolean;
}

/** Registers a handler for the events of one or several definitions. */
export function on<Definition extends AnyEventDefinition>(
  definitions: Definition | readonly Definition[],
  handler: Handler<Recorded<Definition>>,
): Handlers<Handler> {
  return byType(definitions, handler as Handler);
}
