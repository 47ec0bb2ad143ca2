import { generationOf, projectionVersion } from '../../projections/engine/stored-version.js';

/** Models that hold rendered texts count their own version in thousands, and the renderer's below. */
const RENDERED = 1_000;

/**
 * A stored version as people read it: the version of the code, with the renderer's behind a dot, and how often it was rebuilt.
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
