/** A direct conversation, as far as it says who knows whom. */
export interface BegunConversation {
  readonly participantIds: readonly number[];
  /** Position in the log of its first message, which may be deleted since. */
  readonly beganAt: number;
}

/** With whom some people talked directly, alone or in groups, as of a position of the log. */
export class DirectConversations {
  /** Of nobody. */
  static readonly none = new DirectConversations(new Map());

  /** Through which position of the log they count; null: through its end. */
  private through: number | null = null;

  /** @param begun by person and partner: position at which their first conversation began */
  private constructor(private readonly begun: ReadonlyMap<number, ReadonlyMap<number, number>>) {}

  /**
   * Those of some people.
   *
   * @param conversations all in which any of them takes part
   */
  static of(userIds: readonly number[], conversations: Iterable<BegunConversation>): DirectConversations {
    const begun = new Map(userIds.map((id) => [id, new Map<number, number>()] as const));
    for (const { participantIds, beganAt } of conversations) {
      for (const id of participantIds) {
        const partners = begun.get(id);
        if (partners === undefined) continue;
        for (const partner of participantIds) {
          partners.set(partner, Math.min(beganAt, partners.get(partner) ?? beganAt));
        }
      }
    }
    return new DirectConversations(begun);
  }

  /** The same as of a position, inclusive: read models may have come further. */
  asOf(position: number): DirectConversations {
    const earlier = new DirectConversations(this.begun);
    earlier.through = position;
    return earlier;
  }

  /** Whether it is known of one of the two with whom they talked. */
  isAskedOf(one: number, other: number): boolean {
    return this.begun.has(one) || this.begun.has(other);
  }

  /** Whether the two talked directly; false too where {@link isAskedOf} neither. */
  had(one: number, other: number): boolean {
    const beganAt = this.begun.get(one)?.get(other) ?? this.begun.get(other)?.get(one);
    return beganAt !== undefined && (this.through === null || beganAt <= this.through);
  }
}
