/**
 * Ids of messages, people, channels and groups: the revision of the creating event in its directory stream plus one.
 * They are dense, rise in log order and are known from the append's acknowledgement, without a counter.
 */
export function idAtRevision(revision: number): number {
  return revision + 1;
}

/** The revision of the event that created the thing with this id; the inverse of {@link idAtRevision}. */
export function revisionOfId(id: number): number {
  return id - 1;
}
