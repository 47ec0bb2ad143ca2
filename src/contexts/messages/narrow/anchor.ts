import { failure } from '../../../kernel/errors.js';
import { MAX_MESSAGE_ID } from './sources.js';

/**
 * Where a page lies: at an id (0 is the oldest, {@link MAX_MESSAGE_ID} the newest), at a time, or at the first
 * unread message.
 */
export type Anchor =
  | { readonly type: 'id'; readonly id: number }
  /** The oldest unread message that matches the narrow. */
  | { readonly type: 'first-unread' }
  /** Seconds since the UNIX epoch. */
  | { readonly type: 'date'; readonly timestamp: number };

/**
 * Parses the parameters `anchor` and `anchor_date` of `GET /messages`.
 *
 * @throws ApplicationError `invalidAnchor` for anything that is neither an id nor a name of an anchor
 */
export function parseAnchor(anchor: string, anchorDate: string | undefined): Anchor {
  switch (anchor) {
    case 'newest':
      return { type: 'id', id: MAX_MESSAGE_ID };
    case 'oldest':
      return { type: 'id', id: 0 };
    case 'first_unread':
      return { type: 'first-unread' };
    case 'date':
      return { type: 'date', timestamp: parseDate(anchorDate) };
    default:
      return { type: 'id', id: parseId(anchor) };
  }
}

function parseId(anchor: string): number {
  if (!/^-?\d+$/.test(anchor.trim())) throw failure('invalidAnchor');
  return Math.min(Math.max(Number(anchor), 0), MAX_MESSAGE_ID);
}

/**
 * ISO 8601, with or without separators; a time may end after its hours, minutes, seconds or a fraction of
 * these, and a zone after its hours.
 */
const isoDate = /^(?<year>\d{4})(?<dash>-?)(?<month>\d{2})\k<dash>(?<day>\d{2})(?:[T ](?<time>\d{2}.*))?$/i;
const isoTime =
  /^(?<hours>\d{2})(?::?(?<minutes>\d{2})(?::?(?<seconds>\d{2})(?:[.,](?<fraction>\d+))?)?)?(?:Z|(?<zone>[+-]\d{2})(?::?(?<zoneMinutes>\d{2}))?)?$/i;

/** A date alone is midnight; without a time zone it is UTC. */
function parseDate(date: string | undefined): number {
  if (date === undefined) throw failure('anchorDateRequired');
  const { year, month, day, time = '00' } = isoDate.exec(date.trim())?.groups ?? {};
  const written = `${year}-${month}-${day}`;
  const milliseconds = isInCalendar(written) ? Date.parse(`${written}T${standardTime(time)}`) : NaN;
  if (Number.isNaN(milliseconds)) throw failure('invalidAnchorDate');
  return Math.ceil(milliseconds / 1000);
}

/** `Date` silently turns the 30th of February into the 1st or 2nd of March. */
function isInCalendar(day: string): boolean {
  const midnight = Date.parse(day);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
}

/** The time in the form that `Date` parses; empty if it is not a time. */
function standardTime(time: string): string {
  const groups = isoTime.exec(time)?.groups;
  if (groups === undefined) return '';
  const { hours, minutes = '00', seconds = '00', fraction = '0', zone = '+00', zoneMinutes = '00' } = groups;
  return `${hours}:${minutes}:${seconds}.${fraction}${zone}:${zoneMinutes}`;
}
