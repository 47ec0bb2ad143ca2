/** Revisions of the first events of commands on one stream, by command id. */
export type Commands = ReadonlyMap<string, number>;

/** A stream, and the commands that are known of it, as in a snapshot, the oldest first; undefined: none. */
export interface StreamEnd {
  readonly stream: string;
  readonly commands: readonly { readonly commandId: string; readonly revision: number }[] | undefined;
}

/** An event that a reactor handles perhaps for the second time. */
export interface Repetition {
  /** The commands on a stream that the first time may have given. */
  commandsIn(end: StreamEnd): Promise<Commands>;
}

/**
 * The repetitions under way in a process, by the id of the event. A command of a reactor names that event as its cause. So they need not
 * be passed on by the context of asynchronous calls, which makes every promise of the process slower.
 */
export class Repetitions {
  private readonly underWay = new Map<string, readonly Repetition[]>();

  /** Runs a task whose commands may be repeated ones. */
  async during<Result>(
    causeId: string,
    repetition: Repetition,
    task: () => Promise<Result>,
  ): Promise<Result> {
    this.underWay.set(causeId, [...this.with(causeId), repetition]);
    try {
      return await task();
    } finally {
      const others = this.with(causeId).filter((other) => other !== repetition);
      if (others.length > 0) this.underWay.set(causeId, others);
      else this.underWay.delete(causeId);
    }
  }

  /**
   * The repetitions that a command with this cause may belong to. Several reactors may handle one event again, each with its own knowledge
   * of streams: one may have read a stream before another one's command was appended to it.
   */
  of(causeId: string | null): readonly Repetition[] {
    return causeId === null ? [] : this.with(causeId);
  }

  private with(causeId: string): readonly Repetition[] {
    return this.underWay.get(causeId) ?? [];
  }
}
