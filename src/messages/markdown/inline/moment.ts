const zoneFormat = String.raw`\s*([Zz]|[A-Z]{3,4}|[+-]\d{2}(?::?\d{2})?)?`;
const longTime = String.raw`(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:[.,](\d+))?)?`;
const longFormat = new RegExp(
  String.raw`^(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?:[Tt ]${longTime}${zoneFormat})?$`,
);
const compactFormat = new RegExp(
  String.raw`^(\d{4})(\d{2})(\d{2})(?:[Tt ]?(\d{2})(\d{2})(?:(\d{2})(?:[.,](\d+))?)?${zoneFormat})?$`,
);
const monthFirstFormat = new RegExp(
  String.raw`^([A-Z][a-z]{2,8})\.? (\d{1,2}),? (\d{4})(?:,? (\d{1,2}):(\d{2})(?::(\d{2}))?${zoneFormat})?$`,
);
const unixFormat = /^\d{1,11}$/;

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Hours east of UTC of the abbreviations that are unambiguous enough to be understood. */
const zoneOffsets: Readonly<Record<string, number>> = {
  Z: 0,
  UTC: 0,
  GMT: 0,
  WET: 0,
  CET: 1,
  CEST: 2,
  EET: 2,
  EEST: 3,
  MSK: 3,
  IST: 5.5,
  JST: 9,
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
};

interface Fields {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** Digits behind the decimal point of the second. */
  readonly fraction: string;
  /** Zone as typed; empty means UTC. */
  readonly zone: string;
}

/**
 * Reads a moment: ISO 8601 or nearly so, `Nov 21 2026 10:00 PST`, or seconds since the UNIX epoch. A date is always needed: what is
 * left out may not be filled from the clock, or a text would change with the day on which it is rendered.
 *
 * @returns the moment in UTC as ISO 8601, or undefined
 */
export function parseMoment(typed: string): string | undefined {
  const text = typed.trim();
  const fields = readLong(text) ?? readCompact(text) ?? readMonthFirst(text);
  const moment = fields === undefined ? undefined : toUtc(fields);
  // Eight digits that are no date are seconds.
  if (moment === undefined && unixFormat.test(text)) return formatUtc(Number(text) * 1000, '');
  return moment;
}

function readLong(text: string): Fields | undefined {
  const match = longFormat.exec(text);
  if (match === null) return undefined;
  const [, year, , month, day, hour, minute, second, fraction = '', zone = ''] = match;
  return { ...numbers({ year, month, day, hour, minute, second }), fraction, zone };
}

function readCompact(text: string): Fields | undefined {
  const match = compactFormat.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', zone = ''] = match;
  return { ...numbers({ year, month, day, hour, minute, second }), fraction, zone };
}

function readMonthFirst(text: string): Fields | undefined {
  const match = monthFirstFormat.exec(text);
  if (match === null) return undefined;
  const [, name = '', day, year, hour, minute, second, zone = ''] = match;
  const month = String(monthNames.indexOf(name.slice(0, 3).toLowerCase()) + 1);
  return { ...numbers({ year, month, day, hour, minute, second }), fraction: '', zone };
}

type NumericField = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';

function numbers(texts: Record<NumericField, string | undefined>): Record<NumericField, number> {
  const number = (field: NumericField): number => Number(texts[field] ?? 0);
  return {
    year: number('year'),
    month: number('month'),
    day: number('day'),
    hour: number('hour'),
    minute: number('minute'),
    second: number('second'),
  };
}

function toUtc({ year, month, day, hour, minute, second, fraction, zone }: Fields): string | undefined {
  const offset = zoneOffset(zone);
  const local = new Date(0);
  // Date.UTC would take the first hundred years for those of the twentieth century.
  local.setUTCFullYear(year, month - 1, day);
  local.setUTCHours(hour, minute, second);
  // Date carries over what is out of range; a date that came out different did not exist.
  const exists =
    local.getUTCMonth() === month - 1 &&
    local.getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60;
  if (offset === undefined || !exists) return undefined;
  return formatUtc(local.getTime() - offset * 3_600_000, fraction);
}

function zoneOffset(zone: string): number | undefined {
  const match = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (match === null) return zoneOffsets[zone === '' ? 'Z' : zone.toUpperCase()];
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
