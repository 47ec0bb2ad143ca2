/** A place in the past: a position of the log, or a time in milliseconds since the UNIX epoch. */
export type PastMoment = { readonly position: number } | { readonly time: number };

const POSITION = /^\d{1,15}$/;
const TIME = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)?(?:Z|[+-]\d{2}:?\d{2})?$/;

/** Reads a position of the log, or a date or time of ISO 8601, in UTC unless it says otherwise; null: it is neither. */
export function readMoment(text: string): PastMoment | null {
  if (POSITION.test(text)) return { position: Number(text) };
  const time = TIME.test(text) ? Date.parse(inUtc(text)) : NaN;
  return Number.isNaN(time) ? null : { time };
}

/** ECMAScript takes a time without a zone as a local one. */
function inUtc(text: string): string {
  const iso = text.replace(' ', 'T');
  return !iso.includes('T') || /(?:Z|[+-]\d{2}:?\d{2})$/.test(iso) ? iso : `${iso}Z`;
}
