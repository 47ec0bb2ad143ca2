import { silentLogger, type Logger } from '../../../projections/engine/logger.js';
import { openModel } from '../../../projections/engine/open-model.js';
import type { ProjectionProgress, ProjectionState } from '../../../projections/engine/progress.js';
import { ProjectionRunner } from '../../../projections/engine/projection-runner.js';
import type { Projection } from '../../../projections/engine/projection.js';
import type { EngineTiming } from '../../../projections/engine/timing.js';
import type { EventLog } from '../../../src/stores/event-store/event-log.js';
import type { ReadStore } from '../../../src/stores/read-store/port.js';
import { quickTiming } from './building.js';
import { until } from './waiting.js';

/** A runner in the background, and what it has reported. */
export interface Running {
  readonly runner: ProjectionRunner;
  readonly reports: readonly ProjectionProgress[];
  /** Waits until the runner is in a state, and has passed a position if one is given. */
  reaches(state: ProjectionState, position?: number): Promise<ProjectionProgress>;
  stop(): Promise<void>;
}

interface RunOptions {
  readonly processName?: string;
  readonly logger?: Logger;
  readonly timing?: Partial<EngineTiming>;
}

/** Runs version 1 of a model. */
export async function run(
  stores: { readonly log: EventLog; readonly readStore: ReadStore },
  projection: Projection,
  { processName = 'one', logger = silentLogger, timing = {} }: RunOptions = {},
): Promise<Running> {
  const reports: ProjectionProgress[] = [];
  const runner = new ProjectionRunner(
    stores,
    await openModel(stores.readStore, projection, projection.version),
    {
      processName,
      logger,
      timing: { ...quickTiming, ...timing },
      listener: (progress) => reports.push(progress),
    },
  );
  const ending = new AbortController();
  const running = runner.run(ending.signal);
  return {
    runner,
    reports,
    reaches: async (state, position = -1) => {
      await until(() => reports.at(-1)?.state === state && (reports.at(-1)?.position ?? -1) >= position);
      return reports.at(-1)!;
    },
    stop: async () => {
      ending.abort();
      await running;
    },
  };
}
