import { recordOf, REVISION_DOCUMENT_ID, type DirectoryRevision } from '../src/access/directory-documents.js';
import type { Keyed } from '../src/stores/read-store/port.js';
import type { DocumentReference, BatchedHandler, LoadedDocuments, Change } from './engine/projection.js';

/** The record that an event changes, and how. */
export interface Evolution {
  readonly at: DocumentReference;
  /** A method, so that it may name the type of the records that `at` refers to. */
  evolve(this: void, record: object | null): object | null;
}

const edition: DocumentReference = { collection: 'edition', id: REVISION_DOCUMENT_ID };

/** Loads each record, evolves it with the same function as the directory in memory, and stores it. */
export function evolving<Event>(evolutionsOf: (event: Event) => readonly Evolution[]): BatchedHandler<Event> {
  return {
    reads: (event) => [...evolutionsOf(event).map(({ at }) => at), edition],
    apply: (event, documents) => [
      ...evolutionsOf(event).flatMap((evolution) => evolved(evolution, documents)),
      nextEdition(documents),
    ],
  };
}

function evolved(
  { at: { collection, id }, evolve }: Evolution,
  documents: LoadedDocuments,
): readonly Change[] {
  const document = documents.get<Keyed>(collection, id);
  const record = evolve(document && recordOf(document));
  return record === null ? [] : [{ collection, put: { ...record, _id: id } }];
}

function nextEdition(documents: LoadedDocuments): Change {
  const { collection, id } = edition;
  const events = (documents.get<Keyed & DirectoryRevision>(collection, id)?.events ?? 0) + 1;
  return { collection, put: { _id: id, events } };
}
