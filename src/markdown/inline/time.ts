import { escapeAttribute } from '../html.js';
import type { InlineParser, InlinePass } from './inline-parser.js';

const DATE = String.raw`(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})`;
const TIME = String.raw`(?<hour>\d{2})(?::(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d+))?)?)?`;
const ZONE = String.raw` ?(?<zone>[Zz]|[+-]\d{2}(?::?\d{2})?)?`;
const BASIC_DATE = String.raw`(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})`;
const BASIC_TIME = String.raw`(?<hour>\d{2})(?:(?<minute>\d{2})(?:(?<second>\d{2})(?:[.,](?<fraction>\d+))?)?)?`;

/** The two formats of ISO 8601, also with the blank or lower-case `t` that people type. */
const formats: readonly RegExp[] = [
  new RegExp(`^${DATE}(?:[Tt ]${TIME}${ZONE})?$`),
  new RegExp(`^${BASIC_DATE}(?:[Tt]${BASIC_TIME}${ZONE})?$`),
];

interface Fields {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** Digits after the decimal point of the seconds. */
  readonly fraction: string;
  /** Time zone as typed; empty means UTC. */
  readonly zone: string;
}

/**
 * Parses a date and time of ISO 8601. A date is required: if the current date were filled in, a text would change with the day on which it
 * is rendered.
 *
 * @returns the time in UTC as ISO 8601, or undefined
 */
function parseMoment(typed: string): string | undefined {
  const fields = readFields(typed.trim());
  return fields === undefined ? undefined : toUtc(fields);
}

function readFields(text: string): Fields | undefined {
  const format = formats.find((one) => one.test(text));
  const groups: Readonly<Record<string, string | undefined>> | undefined = format?.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const { hour = '0', minute = '0', second = '0', fraction = '', zone: typedZone = '' } = groups;
  return {
    year: Number(groups['year']),
    month: Number(groups['month']),
    day: Number(groups['day']),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    fraction,
    zone: typedZone,
  };
}

function toUtc({ year, month, day, hour, minute, second, fraction, zone }: Fields): string | undefined {
  const offset = zoneOffset(zone);
  const local = new Date(0);
  // Date.UTC maps the years 0 to 99 to the twentieth century.
  local.setUTCFullYear(year, month - 1, day);
  local.setUTCHours(hour, minute, second);
  // Date normalizes values that are out of range, so a date that changed did not exist.
  const exists =
    local.getUTCMonth() === month - 1 &&
    local.getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60;
  if (offset === undefined || !exists) return undefined;
  return formatUtc(local.getTime() - offset * 3_600_000, fraction);
}

/** Hours east of UTC; undefined: not a valid zone. */
function zoneOffset(zone: string): number | undefined {
  const match = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (match === null) return 0;
  const hours = Number(match[2]) + Number(match[3] ?? 0) / 60;
  if (hours >= 24) return undefined;
  return match[1] === '-' ? -hours : hours;
}

function formatUtc(milliseconds: number, fraction: string): string | undefined {
  const moment = new Date(milliseconds);
  const year = moment.getUTCFullYear();
  if (Number.isNaN(year) || year < 1 || year > 9999) return undefined;
  const digits = fraction.slice(0, 6).padEnd(6, '0');
  const microseconds = /[1-9]/.test(digits) ? `.${digits}` : '';
  return `${moment.toISOString().slice(0, 19)}${microseconds}Z`;
}

/** `<time:…>`: a time that every reader sees in the own time zone. An invalid time stays text. */
export const parseTimes: InlinePass = (text, inline) => {
  if (!text.includes('<time:')) return text;
  // Ends the search at the last `>`, so that unclosed marks are not searched repeatedly.
  const last = text.lastIndexOf('>') + 1;
  const parsed = text
    .slice(0, last)
    .replace(/<time:([^>]*)>/g, (source: string, typed: string) => timePlace(typed, inline) ?? source);
  return parsed + text.slice(last);
};

function timePlace(typed: string, { stash }: InlineParser): string | null {
  const moment = parseMoment(typed);
  if (moment === undefined) return null;
  return stash.put(`<time datetime="${escapeAttribute(moment)}">${stash.toHtml(typed)}</time>`);
}
