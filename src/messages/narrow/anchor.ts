import { failure } from '../../kernel/errors.js';
import { largestMessageId } from './sources.js';

/** Where a page lies: at an id (0 is the oldest, {@link largestMessageId} the newest), at a time, or where reading goes on. */
export type Anchor =
  | { readonly type: 'id'; readonly id: number }
  /** The oldest unread message that the narrow lets through. */
  | { readonly type: 'first-unread' }
  /** Seconds since the UNIX epoch. */
  | { readonly type: 'date'; readonly timestamp: number };

/**
 * Reads the parameters `anchor` and `anchor_date` (specification, GET /messages).
 *
 * @throws ApplicationError `badRequest` for anything that is neither an id nor a name of an anchor
 */
export function parseAnchor(anchor: string, anchorDate: string | undefined): Anchor {
  switch (anchor) {
    case 'newest':
      return { type: 'id', id: largestMessageId };
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
  if (!/^-?\d+$/.test(anchor.trim())) throw failure('badRequest', { reason: 'Invalid anchor' });
  return Math.min(Math.max(Number(anchor), 0), largestMessageId);
}

const isoDate =
  /^(?<day>\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?<zone>Z|[+-]\d{2}:?\d{2})?)?$/i;

/** `Date` takes the 30th of February for the 1st or 2nd of March. */
function isInCalendar(day: string | undefined): boolean {
  const midnight = Date.parse(day ?? '');
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day ?? '');
}

/** A date alone is midnight; without a time zone it is UTC. */
function parseDate(date: string | undefined): number {
  if (date === undefined) throw failure('badRequest', { reason: "Missing 'anchor_date' argument" });
  const match = isoDate.exec(date.trim());
  const hasTime = date.trim().length > 'yyyy-mm-dd'.length;
  const text = date.trim().replace(' ', 'T') + (hasTime && match?.groups?.['zone'] === undefined ? 'Z' : '');
  const milliseconds = isInCalendar(match?.groups?.['day']) ? Date.parse(text) : NaN;
  if (Number.isNaN(milliseconds)) throw failure('badRequest', { reason: 'Invalid anchor_date' });
  return Math.ceil(milliseconds / 1000);
}
