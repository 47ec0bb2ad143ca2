import type { ModelStatus } from '../../projections/engine/model-position.js';
import type { OperatorSettings } from '../../projections/engine/operator-settings.js';

/** The state of the models that {@link modelFaults} checks. */
interface ReadinessSources {
  readonly status: readonly ModelStatus[];
  readonly settings: Pick<OperatorSettings, 'of'>;
  /** A model that lags behind the log by more than this, in milliseconds, is not ready. */
  readonly maxLag: number;
  /** Names of models that are ignored. */
  readonly without: ReadonlySet<string>;
}

/**
 * Says which read models do not serve the current log, each with the reason in a few words. A paused model is no
 * fault, because an operator paused it. A model that is frozen while its next version is built is no fault either,
 * unless that build stops.
 */
export async function modelFaults(sources: ReadinessSources): Promise<readonly string[]> {
  const { status, without } = sources;
  const counted = status.filter(({ projection }) => !without.has(projection));
  const faults = await Promise.all(counted.map((model) => faultOf(model, sources)));
  return faults.filter((fault) => fault !== null);
}

async function faultOf(model: ModelStatus, { settings, maxLag }: ReadinessSources): Promise<string | null> {
  const { projection, state, lagMilliseconds, stoppage } = model;
  const lag = `${projection} is ${Math.round(lagMilliseconds)} ms behind the log`;
  switch (state) {
    case 'halted':
      return `${projection} is halted at an event that it cannot apply`;
    case 'frozen':
      return (await settings.of(projection)).stoppedBuild === null
        ? null
        : `the build of ${projection} is halted at an event that it cannot apply`;
    case 'paused':
      return null;
    case 'unavailable':
      return lagMilliseconds > maxLag ? `${lag}${stoppage === null ? '' : `: ${stoppage.reason}`}` : null;
    case 'standby':
    case 'building':
    case 'catching-up':
    case 'live':
    case 'stopped':
    case null:
      return lagMilliseconds > maxLag ? lag : null;
  }
}
