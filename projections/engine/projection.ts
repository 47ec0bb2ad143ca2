import type { RecordedEvent } from '../../src/kernel/event.js';
import type { Collection, CollectionDefinition, Filter, Keyed, Update } from '../../src/read-store/port.js';

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

/** The common case: needs only documents that it can name from the event, so that many events share one batch. */
export interface BatchedHandler {
  readonly reads?: (event: RecordedEvent) => readonly DocumentReference[];
  /** Pure. */
  readonly apply: (event: RecordedEvent, documents: LoadedDocuments) => readonly Change[];
}

/** For events that must query the model, or change documents by a filter: everything before them is committed first. */
export interface QueryingHandler {
  readonly applyAlone: (event: RecordedEvent, model: ModelReader) => Promise<readonly Change[]>;
}

/** Like {@link QueryingHandler}, but events of the type that follow each other at once share a batch. */
export interface RunHandler {
  readonly applyRun: (events: readonly RecordedEvent[], model: ModelReader) => Promise<readonly Change[]>;
}

export type Handler = BatchedHandler | QueryingHandler | RunHandler;

/** A read model: how it is stored, and what each event makes of it. */
export interface Projection {
  /** Kebab-case, unique. */
  readonly name: string;
  /** Raised when the same events shall give other documents: the new version is built beside the old one. */
  readonly version: number;
  readonly collections: readonly CollectionDefinition[];
  /** By event type; other events pass it by. */
  readonly on: Readonly<Record<string, Handler>>;
}
