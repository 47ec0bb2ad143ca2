/** Items that wait for the same lock. */
interface Group {
  readonly kind: string;
  readonly items: unknown[];
  readonly done: Promise<void>;
}

/** Maximum number of items handled under one lock; later ones wait for the next. */
const MAX_GROUP = 64;

/** Locks by stream: tasks of one stream run one after another, in order of arrival. Streams do not wait for each other. */
export class StreamLocks {
  /** The last task of each stream that has any. */
  private readonly last = new Map<string, Promise<unknown>>();
  /** By stream: the items that wait for its last task, as long as that has not begun. */
  private readonly groups = new Map<string, Group>();

  /** Runs a task under a lock of its own. */
  async withLock<Result>(stream: string, task: () => Promise<Result>): Promise<Result> {
    const previous = this.last.get(stream) ?? Promise.resolve();
    const ended = previous.then(task, task);
    this.groups.delete(stream);
    this.last.set(stream, ended);
    try {
      return await ended;
    } finally {
      if (this.last.get(stream) === ended) this.last.delete(stream);
    }
  }

  /**
   * Handles an item together with all others of its kind that wait for the same lock.
   *
   * @param kind items of one kind have the same type
   * @param run the same for all items of a kind; every item gets its result
   */
  together<Item>(
    { stream, kind }: { readonly stream: string; readonly kind: string },
    item: Item,
    run: (items: readonly Item[]) => Promise<void>,
  ): Promise<void> {
    const group = this.groups.get(stream);
    if (group?.kind === kind && group.items.length < MAX_GROUP) {
      group.items.push(item);
      return group.done;
    }
    const items = [item];
    const done = this.withLock(stream, () => {
      if (this.groups.get(stream)?.items === items) this.groups.delete(stream);
      return run(items);
    });
    this.groups.set(stream, { kind, items, done });
    return done;
  }
}
