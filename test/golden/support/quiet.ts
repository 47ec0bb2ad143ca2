import { eventually } from '../../support/eventually.js';

/** Waits until every read model and every reactor has reached the end of the log. */
export async function untilQuiet(site: string): Promise<void> {
  await eventually(
    async () => positionsOf(await (await fetch(`${site}/metrics`)).text()),
    ({ end, others }) => others.length > 0 && others.every((position) => position === end),
  );
}

interface Positions {
  readonly end: number;
  readonly others: readonly number[];
}

function positionsOf(metrics: string): Positions {
  const found = [
    ...metrics.matchAll(
      /^palimpsest_(log_position|projection_checkpoint|reactor_checkpoint)(?:\{.*\})? (\d+)$/gm,
    ),
  ];
  const end = found.find(([, name]) => name === 'log_position')?.[2];
  return {
    end: Number(end),
    others: found.filter(([, name]) => name !== 'log_position').map(([, , position]) => Number(position)),
  };
}
