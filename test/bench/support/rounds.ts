/** The results of a contender, one for each round. */
export type Samples<Sample = number> = readonly Sample[];

/** The number of rounds. */
export interface Rounds {
  readonly count: number;
  /** Whether a first round is not counted, so that code is compiled and caches are filled. */
  readonly warmUp: boolean;
}

/** Runs the contenders' tasks in turn, round after round, so that a machine that becomes slower affects all of them. */
export async function inRounds<Name extends string, Sample>(
  { count, warmUp }: Rounds,
  contenders: Readonly<Record<Name, () => Promise<Sample>>>,
): Promise<Readonly<Record<Name, Samples<Sample>>>> {
  const names = Object.keys(contenders) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as Sample[]])) as Record<Name, Sample[]>;
  for (let round = warmUp ? 0 : 1; round <= count; round += 1) {
    for (const name of names) {
      const sample = await contenders[name]();
      if (round > 0) samples[name].push(sample);
    }
  }
  return samples;
}

export function median(samples: Samples): number {
  const sorted = samples.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

/** The median of the ratios of each round. What slows a round down affects both sides. */
export function medianRatio(ours: Samples, theirs: Samples): number {
  return median(ours.map((sample, round) => sample / (theirs[round] ?? Number.NaN)));
}

/** Runs a task and returns how many seconds it took. */
export async function secondsOf(task: () => Promise<void> | void): Promise<number> {
  const start = performance.now();
  await task();
  return (performance.now() - start) / 1000;
}
