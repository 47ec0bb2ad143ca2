/** What waits for the same turn. */
interface Group {
  readonly kind: string;
  readonly items: unknown[];
  readonly turn: Promise<void>;
}

/** The most that is done in one turn: what comes then waits for the next one. */
const MAX_GROUP = 64;

/** Gives tasks of a stream their turn: one after another, in the order in which they came. Streams do not wait for each other. */
export class StreamTurns {
  /** The last turn of each stream that has any. */
  private readonly last = new Map<string, Promise<unknown>>();
  /** By stream: what waits in its last turn, as long as that has not begun. */
  private readonly groups = new Map<string, Group>();

  /** Runs a task in a turn of its own. */
  async alone<Result>(stream: string, task: () => Promise<Result>): Promise<Result> {
    const previous = this.last.get(stream) ?? Promise.resolve();
    const turn = previous.then(task, task);
    this.groups.delete(stream);
    this.last.set(stream, turn);
    try {
      return await turn;
    } finally {
      if (this.last.get(stream) === turn) this.last.delete(stream);
    }
  }

  /**
   * Does something together with what else of its kind waits for the same turn.
   *
   * @param kind items of one kind have one type
   * @param run the same for all items of a kind; its result is that of each of them
   */
  together<Item>(
    { stream, kind }: { readonly stream: string; readonly kind: string },
    item: Item,
    run: (items: readonly Item[]) => Promise<void>,
  ): Promise<void> {
    const group = this.groups.get(stream);
    if (group?.kind === kind && group.items.length < MAX_GROUP) {
      group.items.push(item);
      return group.turn;
    }
    const items = [item];
    const turn = this.alone(stream, () => {
      if (this.groups.get(stream)?.items === items) this.groups.delete(stream);
      return run(items);
    });
    this.groups.set(stream, { kind, items, turn });
    return turn;
  }
}
