import type { Filter, Keyed, Update } from '../../src/stores/read-store/port.js';

/**
 * The place of a change in the order of all changes of a model: the position of its event, and its index among the changes of that event.
 * On stores without atomic batches, every document stores the point of its last change.
 */
export interface ChangePoint {
  readonly position: number;
  readonly step: number;
}

/** Before the first change. */
export const neverChanged: ChangePoint = { position: -1, step: 0 };

/** Fields that the engine adds to documents. Handlers and digests do not see them. */
const SEEN_POSITION = '_position';
const SEEN_STEP = '_step';

/** A stored document, split into content and engine fields. */
interface StoredDocument {
  /** The document without engine fields. */
  readonly document: Keyed;
  readonly seen: ChangePoint;
}

/** Separates the engine fields from a stored document. */
export function withoutEngineFields(stored: Keyed): StoredDocument {
  if (!(SEEN_POSITION in stored)) return { document: stored, seen: neverChanged };
  const { [SEEN_POSITION]: position, [SEEN_STEP]: step, ...document } = stored;
  return { document, seen: { position: position as number, step: step as number } };
}

/** The document as it is stored after a change. */
export function withSeen(document: Keyed, { position, step }: ChangePoint): Keyed {
  return { ...document, [SEEN_POSITION]: position, [SEEN_STEP]: step };
}

/** Matches documents without this or any later change, including those without engine fields. */
export function notYetSeen({ position, step }: ChangePoint): Filter {
  return {
    $nor: [
      { [SEEN_POSITION]: { $gt: position } },
      { [SEEN_POSITION]: position, [SEEN_STEP]: { $gte: step } },
    ],
  };
}

/** The `$set` of an update that records the change in all documents it matches. */
export function seenFields({ position, step }: ChangePoint): Readonly<Record<string, number>> {
  return { [SEEN_POSITION]: position, [SEEN_STEP]: step };
}

/** A change of one document, or of all that match a filter, with its place in the order of changes. */
export type OrderedChange =
  | { readonly put: Keyed; readonly collection: string; readonly point: ChangePoint }
  | { readonly remove: number | string; readonly collection: string; readonly point: ChangePoint }
  | {
      readonly updateMany: { readonly filter: Filter; readonly update: Update };
      readonly collection: string;
      readonly point: ChangePoint;
    };

/** The changes of several events in order, and the position of the last event. */
export interface ChangeSet {
  readonly changes: readonly OrderedChange[];
  readonly position: number;
}
