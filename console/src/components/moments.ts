const WITHOUT_ZONE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)?$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** How a moment is asked for, to be said beside fields for one. */
export const MOMENT_HINT = 'A time is written as 2026-11-20 or 2026-11-20T18:00, in your zone.';

/**
 * What somebody wrote as a moment, as the API and addresses have it: a time without a zone is in the reader's, so that it is the one
 * that is shown. A position, and what is no time, stays as it is.
 */
export function momentIn(text: string): string {
  const wanted = text.trim();
  if (!WITHOUT_ZONE.test(wanted)) return wanted;
  // A date alone would be taken for one in UTC.
  const time = new Date(DATE.test(wanted) ? `${wanted}T00:00` : wanted.replace(' ', 'T'));
  return Number.isNaN(time.getTime()) ? wanted : time.toISOString();
}

/** A moment of an address as the reader would write it. */
export function momentText(moment: string): string {
  const isTime = /^\d{4}-\d{2}-\d{2}T.*Z$/.test(moment);
  const time = new Date(moment);
  if (!isTime || Number.isNaN(time.getTime())) return moment;
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString();
  return local.slice(0, 19).replace(/:00$/, '');
}
