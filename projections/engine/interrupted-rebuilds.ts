import type { Logger } from './logger.js';
import type { OperatorSettings } from './operator-settings.js';
import { Backoff, pause } from './pause.js';
import { reasonOf } from './poison-event.js';
import type { Projection } from './projection.js';

/** Delays between attempts at a build, in milliseconds. */
export const buildRetryDelays = { first: 1_000, max: 60_000 };

/**
 * The projections whose rebuild was interrupted. Repeats the request until the read store answers; none if the signal
 * is aborted first.
 */
export async function interruptedRebuilds(
  projections: readonly Projection[],
  operatorSettings: Pick<OperatorSettings, 'of'>,
  { stopping, logger }: { readonly stopping: AbortSignal; readonly logger: Logger },
): Promise<readonly Projection[]> {
  const backoff = new Backoff(buildRetryDelays);
  while (!stopping.aborted) {
    try {
      const settings = await Promise.all(projections.map(({ name }) => operatorSettings.of(name)));
      return projections.filter((_, index) => settings[index]!.building !== null);
    } catch (error) {
      if (stopping.aborted) break;
      logger.warn({ reason: reasonOf(error) }, 'Whether rebuilds were interrupted cannot be read for now');
      await pause(backoff.next(), stopping);
    }
  }
  return [];
}
