import type { Filter, Keyed } from '../../src/read-store/port.js';

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
const REMOVED = '_removed';

/** What the engine knows about a stored document. */
export interface StoredDocument {
  /** Without engine fields; null for a tombstone. */
  readonly document: Keyed | null;
  readonly seen: ChangePoint;
}

/** Separates a stored document from the engine's fields. */
export function withoutEngineFields(stored: Keyed): StoredDocument {
  if (!(SEEN_POSITION in stored)) return { document: stored, seen: NEVER_CHANGED };
  const { [SEEN_POSITION]: position, [SEEN_STEP]: step, [REMOVED]: removed, ...document } = stored;
  const seen = { position: position as number, step: step as number };
  return { document: removed === true ? null : document, seen };
}

/** The document as it is stored once it has seen a change. */
export function withSeen(document: Keyed, { position, step }: ChangePoint): Keyed {
  return { ...document, [SEEN_POSITION]: position, [SEEN_STEP]: step };
}

/** What stands in a removed document's place until the checkpoint has passed, so that no late write brings it back. */
export function tombstone(id: number | string, point: ChangePoint): Keyed {
  return { ...withSeen({ _id: id }, point), [REMOVED]: true };
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

/** Matches tombstones. */
export const isTombstone: Filter = { [REMOVED]: true };

/** Matches everything but tombstones. */
export const isPresent: Filter = { [REMOVED]: { $ne: true } };

/** `$set` of an update, marking what it matches as having seen the change. */
export function seenFields({ position, step }: ChangePoint): Readonly<Record<string, number>> {
  return { [SEEN_POSITION]: position, [SEEN_STEP]: step };
}
