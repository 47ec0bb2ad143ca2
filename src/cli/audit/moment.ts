import { readMoment, type PastMoment } from '../../audit/moment.js';
import { MisusedError } from '../command.js';

/** The explanation of positions and times in `--help`. */
export const MOMENT_HELP =
  'a position of the log (1234), or a time (2026-11-21T10:00, 2026-11-21, in UTC if it has no time zone)';

/**
 * Reads a position or a time.
 *
 * @throws MisusedError
 */
export function parseMoment(text: string): PastMoment {
  const moment = readMoment(text);
  if (moment === null)
    throw new MisusedError(`"${text}" is neither a position nor a time: say ${MOMENT_HELP}.`);
  return moment;
}

/** Formats a time for people. */
export function shownTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('T', ' ').replace('Z', '');
}
