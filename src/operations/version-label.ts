import { generationOf, projectionVersion } from '../../projections/engine/stored-version.js';

/** A model that contains rendered texts has a version of `code version * 1000 + renderer version`. */
const RENDERED = 1_000;

/**
 * A stored version in readable form: the code's version, the renderer's after a dot, and the number of rebuilds.
 *
 * @param stored null: none
 */
export function versionLabel(stored: number | null): string {
  if (stored === null) return 'none yet';
  const version = projectionVersion(stored);
  const words =
    version < RENDERED ? String(version) : `${Math.floor(version / RENDERED)}.${version % RENDERED}`;
  const rebuilds = generationOf(stored);
  return rebuilds === 0 ? words : `${words} (rebuild ${rebuilds})`;
}
