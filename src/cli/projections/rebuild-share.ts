/** The progress of rebuilding one model. */
interface ModelProgress {
  readonly projection: string;
  /** Null: the rebuild has just begun. */
  readonly position: number | null;
}

/** The progress of rebuilding several models as one share. Each model counts equally. */
export class RebuildShare {
  private readonly done = new Map<string, number>();

  /** @param models the number of models to rebuild */
  constructor(private readonly models: number) {}

  /** @param head the last position of the log; null: the log is empty */
  note({ projection, position }: ModelProgress, head: number | null): void {
    if (head !== null && head > 0) this.done.set(projection, Math.min(1, (position ?? 0) / head));
  }

  /** Counts rebuilds as done that were seen before and are no longer running. */
  finishBut(underWay: readonly ModelProgress[]): void {
    const names = new Set(underWay.map(({ projection }) => projection));
    for (const name of this.done.keys()) if (!names.has(name)) this.done.set(name, 1);
  }

  /** From 0 to 1. */
  get share(): number {
    return [...this.done.values()].reduce((sum, one) => sum + one, 0) / Math.max(1, this.models);
  }
}
