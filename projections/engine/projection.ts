import type { AnyEventDefinition, Recorded, RecordedEvent } from '../../src/kernel/event.js';
import { byType, type Handlers } from '../../src/kernel/on.js';
import type { Collection, Filter, Keyed, ModelDefinition, Update } from '../../src/stores/read-store/port.js';

/** Names one document of the projection's own model. */
export interface DocumentReference {
  readonly collection: string;
  readonly id: number | string;
}

/** What an event makes of a model. The engine adds its own fields and guards each change against replays. */
export type Change =
  | { readonly put: Keyed; readonly collection: string }
  | { readonly remove: number | string; readonly collection: string }
  | {
      readonly updateMany: { readonly filter: Filter; readonly update: Update };
      readonly collection: string;
    };

/** The documents that {@link BatchedHandler.reads} named, as the events before this one left them. */
export interface LoadedDocuments {
  /** Null when there is none. @throws Error for a document that `reads` did not name. */
  get<D extends Keyed>(collection: string, id: number | string): D | null;
}

/** Looks into the projection's own model, as the events before this one left it. */
export interface ModelReader {
  collection<D extends Keyed>(name: string): Collection<D>;
}

/** That a document goes; nothing changes where it is not there. */
export function removed({ collection, id }: DocumentReference): readonly Change[] {
  return [{ collection, remove: id }];
}

/** The common case: needs only documents that it can name from the event, so that many events share one batch. */
export interface BatchedHandler<Event = RecordedEvent> {
  readonly reads?: (event: Event) => readonly DocumentReference[];
  /** Pure. */
  readonly apply: (event: Event, documents: LoadedDocuments) => readonly Change[];
}

/** For events that must query the model, or change documents by a filter: everything before them is committed first. */
export interface QueryingHandler<Event = RecordedEvent> {
  readonly applyAlone: (event: Event, model: ModelReader) => Promise<readonly Change[]>;
}

/** Like {@link QueryingHandler}, but events of the type that follow each other at once share a batch. */
export interface RunHandler<Event = RecordedEvent> {
  readonly applyRun: (events: readonly Event[], model: ModelReader) => Promise<readonly Change[]>;
}

export type Handler<Event = RecordedEvent> =
  BatchedHandler<Event> | QueryingHandler<Event> | RunHandler<Event>;

/** A read model: how it is stored, and what each event makes of it. */
export interface Projection extends ModelDefinition {
  /** By event type; other events pass it by. Put together by {@link on} and {@link handlers}. */
  readonly on: Handlers<Handler>;
  /** No request reads it: it says what work in the background is left to do. */
  readonly isForWork?: boolean;
  /**
   * Whoever reads it is told how far it has come: no reply to a write waits for it, a node that starts does not wait until it is built, and one
   * that lags behind in it alone goes on taking writes.
   */
  readonly isBeside?: boolean;
}

/** What events of one definition, or of several, make of a model. */
export function on<Definition extends AnyEventDefinition>(
  definitions: Definition | readonly Definition[],
  handler: Handler<Recorded<Definition>>,
): Handlers<Handler> {
  return byType(definitions, handler as Handler);
}
