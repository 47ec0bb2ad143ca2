/**
 * Ids of messages, people, channels and groups: the revision of the creating event in its stream, plus one. They are
 * dense, increase in log order, and are known as soon as the append is acknowledged, without a counter.
 */
export function idAtRevision(revision: number): number {
  return revision + 1;
}

/** The revision of the event that created the object with this id: the inverse of {@link idAtRevision}. */
export function revisionOfId(id: number): number {
  return id - 1;
}
