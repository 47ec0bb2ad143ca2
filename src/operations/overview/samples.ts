/** Figures of one moment, by name; null: not known then. */
export type Sample = Readonly<Record<string, number | null>>;

/** Figures over time, a list for each name, as long as the list of times. */
export interface Series {
  /** Milliseconds since the UNIX epoch. */
  readonly at: readonly number[];
  readonly figures: Readonly<Record<string, readonly (number | null)[]>>;
}

/** The last figures, as many as there is room for: an hour of them is some hundred kilobytes. */
export class Samples {
  private readonly kept: { readonly at: number; readonly figures: Sample }[] = [];

  constructor(private readonly capacity: number) {}

  add(at: number, figures: Sample): void {
    this.kept.push({ at, figures });
    if (this.kept.length > this.capacity) this.kept.shift();
  }

  /** Those after a moment. */
  since(moment: number): Series {
    const samples = this.kept.filter(({ at }) => at > moment);
    const names = new Set(samples.flatMap(({ figures }) => Object.keys(figures)));
    const figures = [...names].map(
      (name) => [name, samples.map((one) => one.figures[name] ?? null)] as const,
    );
    return { at: samples.map(({ at }) => at), figures: Object.fromEntries(figures) };
  }
}
