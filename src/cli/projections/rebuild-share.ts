/** How far one model has come. */
export interface ModelProgress {
  readonly projection: string;
  /** Null: it has just begun. */
  readonly position: number | null;
}

/** How much of the rebuilding of several models is done, as a part of the whole: each model counts alike. */
export class RebuildShare {
  private readonly done = new Map<string, number>();

  /** @param models how many there are to rebuild */
  constructor(private readonly models: number) {}

  /** @param head where the log ends; null: it is empty */
  note({ projection, position }: ModelProgress, head: number | null): void {
    if (head !== null && head > 0) this.done.set(projection, Math.min(1, (position ?? 0) / head));
  }

  /** Counts as done what was begun and is not under way any more. */
  finishBut(underWay: readonly ModelProgress[]): void {
    const names = new Set(underWay.map(({ projection }) => projection));
    for (const name of this.done.keys()) if (!names.has(name)) this.done.set(name, 1);
  }

  /** From 0 to 1. */
  get share(): number {
    return [...this.done.values()].reduce((sum, one) => sum + one, 0) / Math.max(1, this.models);
  }
}
