/**
 * Ids of what a stream's events create: the revision of the creating event in its stream, plus one. They increase in
 * log order, and are known as soon as the append is acknowledged, without a counter. Those of messages have no gaps:
 * their stream contains nothing else.
 */
export function idAtRevision(revision: number): number {
  return revision + 1;
}

/** The revision of the event that created the object with this id: the inverse of {@link idAtRevision}. */
export function revisionOfId(id: number): number {
  return id - 1;
}

/** Each id once, rising. */
export function sortedIds(ids: Iterable<number>): number[] {
  return [...new Set(ids)].sort((one, other) => one - other);
}

/** Ids above `after`, up to and including `through` (null: no end). */
interface IdRange {
  readonly after: number;
  readonly through: number | null;
}

/** Whether an id lies in a range. */
export function isInRange(id: number, { after, through }: IdRange): boolean {
  return id > after && (through === null || id <= through);
}
