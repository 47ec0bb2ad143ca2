import { MisusedError } from '../command.js';

/** A place in the past: a position of the log, or a time in milliseconds since the UNIX epoch. */
export type PastMoment = { readonly position: number } | { readonly time: number };

/** What `--help` says of such values. */
export const momentHelp =
  'a position of the log (1234), or a time (2026-11-21T10:00, 2026-11-21, in UTC unless it says otherwise)';

const TIME = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)?(?:Z|[+-]\d{2}:?\d{2})?$/;

/**
 * Reads a position or a time.
 *
 * @throws MisusedError
 */
export function parseMoment(text: string): PastMoment {
  if (/^\d{1,15}$/.test(text)) return { position: Number(text) };
  const time = TIME.test(text) ? Date.parse(inUtc(text)) : NaN;
  if (Number.isNaN(time))
    throw new MisusedError(`"${text}" is neither a position nor a time: say ${momentHelp}.`);
  return { time };
}

/** ECMAScript takes a time without a zone as a local one. */
function inUtc(text: string): string {
  const iso = text.replace(' ', 'T');
  return !iso.includes('T') || /(?:Z|[+-]\d{2}:?\d{2})$/.test(iso) ? iso : `${iso}Z`;
}

/** A time as it is shown. */
export function shownTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('T', ' ').replace('Z', '');
}
