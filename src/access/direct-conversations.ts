/** A direct conversation, with what it says about who knows whom. */
export interface BegunConversation {
  readonly participantIds: readonly number[];
  /** Log position of its first message, which may have been deleted since. */
  readonly beganAt: number;
}

/** The direct conversations of some people, alone or in groups, as of a log position. */
export class DirectConversations {
  /** The direct conversations of nobody. */
  static readonly none = new DirectConversations(new Map());

  /** Conversations count if they began at or before this log position; null: all count. */
  private through: number | null = null;

  /** @param begun by person and partner: position at which their first conversation began */
  private constructor(private readonly begun: ReadonlyMap<number, ReadonlyMap<number, number>>) {}

  /**
   * The direct conversations of some people.
   *
   * @param conversations all conversations in which any of them takes part
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

  /** The same conversations as of a position, inclusive: read models may include later ones. */
  asOf(position: number): DirectConversations {
    const earlier = new DirectConversations(this.begun);
    earlier.through = position;
    return earlier;
  }

  /** Whether the conversations of one of the two were looked up. */
  includes(one: number, other: number): boolean {
    return this.begun.has(one) || this.begun.has(other);
  }

  /** Whether the two talked directly; false too where {@link includes} is. */
  had(one: number, other: number): boolean {
    const beganAt = this.begun.get(one)?.get(other) ?? this.begun.get(other)?.get(one);
    return beganAt !== undefined && (this.through === null || beganAt <= this.through);
  }
}
