const withoutZone = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)?$/;
const dateForm = /^\d{4}-\d{2}-\d{2}$/;

/** The format of times, shown beside fields for one. */
export const MOMENT_HINT = 'A time is written as 2026-11-20 or 2026-11-20T18:00, in your zone.';

/**
 * Converts an entered time for the API and the address. A time without a zone is in the reader's zone, as times are displayed. Positions
 * and invalid times are not changed: the server refuses the latter.
 */
export function momentIn(text: string): string {
  const wanted = text.trim();
  if (!withoutZone.test(wanted) || !isDay(wanted.slice(0, 10))) return wanted;
  // JavaScript takes a date alone as UTC.
  const time = new Date(dateForm.test(wanted) ? `${wanted}T00:00` : wanted.replace(' ', 'T'));
  return Number.isNaN(time.getTime()) ? wanted : time.toISOString();
}

/** JavaScript takes the 30th of February for the 2nd of March. */
function isDay(day: string): boolean {
  const time = new Date(day);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day);
}

/** A time of the address in the form in which it is entered. */
export function momentText(moment: string): string {
  const isTime = /^\d{4}-\d{2}-\d{2}T.*Z$/.test(moment);
  const time = new Date(moment);
  if (!isTime || Number.isNaN(time.getTime())) return moment;
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString();
  return local.slice(0, 19).replace(/:00$/, '');
}
