import type { Filter, Keyed } from '../../src/stores/read-store/port.js';

/**
 * Where a change stands in the order of all changes of a model: the position of its event and its place among that
 * event's changes. On a store without atomic batches each document keeps the point that it has seen.
 */
export interface ChangePoint {
  readonly position: number;
  readonly step: number;
}

/** Before any change. */
export const NEVER_CHANGED: ChangePoint = { position: -1, step: 0 };

/** Fields that the engine adds to documents; handlers and digests never see them. */
const SEEN_POSITION = '_position';
const SEEN_STEP = '_step';

/** What the engine knows about a stored document. */
export interface StoredDocument {
  /** Without engine fields. */
  readonly document: Keyed;
  readonly seen: ChangePoint;
}

/** Separates a stored document from the engine's fields. */
export function withoutEngineFields(stored: Keyed): StoredDocument {
  if (!(SEEN_POSITION in stored)) return { document: stored, seen: NEVER_CHANGED };
  const { [SEEN_POSITION]: position, [SEEN_STEP]: step, ...document } = stored;
  return { document, seen: { position: position as number, step: step as number } };
}

/** The document as it is stored once it has seen a change. */
export function withSeen(document: Keyed, { position, step }: ChangePoint): Keyed {
  return { ...document, [SEEN_POSITION]: position, [SEEN_STEP]: step };
}

/** Matches documents that have not yet seen this change; those without engine fields have seen none. */
export function notYetSeen({ position, step }: ChangePoint): Filter {
  return {
    $nor: [
      { [SEEN_POSITION]: { $gt: position } },
      { [SEEN_POSITION]: position, [SEEN_STEP]: { $gte: step } },
    ],
  };
}

/** `$set` of an update, marking what it matches as having seen the change. */
export function seenFields({ position, step }: ChangePoint): Readonly<Record<string, number>> {
  return { [SEEN_POSITION]: position, [SEEN_STEP]: step };
}
