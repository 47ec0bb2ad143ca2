/** A moment in the past: a position of the log, or a time in milliseconds since the UNIX epoch. */
export type PastMoment = { readonly position: number } | { readonly time: number };

const positionForm = /^\d{1,15}$/;
const timeForm = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)?(?:Z|[+-]\d{2}:?\d{2})?$/;

/** Parses a position of the log, or an ISO 8601 date or time, in UTC unless it has an offset; null: it is neither. */
export function readMoment(text: string): PastMoment | null {
  if (positionForm.test(text)) return { position: Number(text) };
  const time = timeForm.test(text) && isDay(text.slice(0, 10)) ? Date.parse(inUtc(text)) : NaN;
  return Number.isNaN(time) ? null : { time };
}

/** The engine takes the 30th of February for the 2nd of March. */
function isDay(day: string): boolean {
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

/** ECMAScript treats a time without a zone as local time. */
function inUtc(text: string): string {
  const iso = text.replace(' ', 'T');
  return !iso.includes('T') || /(?:Z|[+-]\d{2}:?\d{2})$/.test(iso) ? iso : `${iso}Z`;
}

/**
 * Maximum difference, in milliseconds, between the clocks of nodes that write to one log; real differences are much
 * smaller.
 */
export const CLOCKS_AGREE_WITHIN = 3_600_000;
