/** The figures of one moment, by name; null: not known. */
export type Sample = Readonly<Record<string, number | null>>;

/** Figures over time: for each name a list as long as the list of times. */
export interface Series {
  /** Milliseconds since the UNIX epoch. */
  readonly at: readonly number[];
  readonly figures: Readonly<Record<string, readonly (number | null)[]>>;
}

/** The newest samples, up to a limit: one hour of them takes a few hundred kilobytes. */
export class Samples {
  private readonly kept: { readonly at: number; readonly figures: Sample }[] = [];

  constructor(private readonly capacity: number) {}

  add(at: number, figures: Sample): void {
    this.kept.push({ at, figures });
    if (this.kept.length > this.capacity) this.kept.shift();
  }

  /** The samples after a time. */
  since(moment: number): Series {
    const samples = this.kept.filter(({ at }) => at > moment);
    const names = new Set(samples.flatMap(({ figures }) => Object.keys(figures)));
    const figures = [...names].map(
      (name) => [name, samples.map((one) => one.figures[name] ?? null)] as const,
    );
    return { at: samples.map(({ at }) => at), figures: Object.fromEntries(figures) };
  }
}
