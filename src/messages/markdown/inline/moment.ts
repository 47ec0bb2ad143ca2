const weekday = '(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? )?';
const monthName = String.raw`(?<name>[A-Za-z]{3,9})\.?`;
const ordinalDay = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?`;
const year = String.raw`(?<year>\d{4})`;
const exactTime = String.raw`(?<hour>\d{1,2}):(?<minute>\d{1,2})(?::(?<second>\d{1,2})(?:[.,](?<fraction>\d+))?)?`;
const wholeHour = String.raw`(?<wholeHour>\d{1,2})(?= ?[AaPp])`;
const halfOfDay = String.raw`(?: ?(?<half>[AaPp])\.?[Mm]\.?)?`;
const zone = String.raw` ?(?<zone>[Zz]|[A-Z][A-Za-z][A-Z]{1,2}|[+-]\d{2}(?::?\d{2})?)?`;
const time = `(?:${exactTime}|${wholeHour})${halfOfDay}`;
const timeAndZone = `(?:,? (?:at )?${time}${zone})?`;

/** In order of precedence; blanks are single ones. */
const formats: readonly RegExp[] = [
  `${year}(?<mark>[-/.])(?<month>\\d{1,2})\\k<mark>(?<day>\\d{1,2})(?:[Tt ]${time}${zone})?`,
  `${year}(?<month>\\d{2})(?<day>\\d{2})(?:[Tt ]?(?<hour>\\d{2})(?<minute>\\d{2})(?:(?<second>\\d{2})(?:[.,](?<fraction>\\d+))?)?${zone})?`,
  `${weekday}${monthName} ${ordinalDay},? ${year}${timeAndZone}`,
  `${weekday}${ordinalDay}[ -](?:of )?${monthName},?[ -]${year}${timeAndZone}`,
  `${weekday}${monthName} ${ordinalDay},? ${time}${zone} ${year}`,
  `(?<month>\\d{1,2})(?<mark>[-/.])(?<day>\\d{1,2})\\k<mark>${year}${timeAndZone}`,
].map((format) => new RegExp(`^${format}$`));

const unixFormat = /^(?:\d{1,11}|\d{9,11}\.\d{1,6})$/;

const monthNames =
  'january february march april may june july august september october november december'.split(' ');

/** Abbreviations of zones by hours east of UTC: of what several places call the same, the one that most people mean. */
const zones: readonly (readonly [number, string])[] = [
  [-11, 'SST'],
  [-10, 'HST'],
  [-9, 'AKST HDT'],
  [-8, 'AKDT PST'],
  [-7, 'MST PDT'],
  [-6, 'CST MDT'],
  [-5, 'CDT EST'],
  [-4, 'AST EDT'],
  [-3.5, 'NST'],
  [-3, 'ADT'],
  [-2.5, 'NDT'],
  [0, 'Z GMT UTC WET'],
  [1, 'BST CET MET WAT WEST'],
  [2, 'CAT CEST EET MEST SAST'],
  [3, 'EAT EEST IDT MSK'],
  [5, 'PKT'],
  [5.5, 'IST'],
  [7, 'WIB'],
  [8, 'AWST HKT WITA'],
  [9, 'JST KST WIT'],
  [9.5, 'ACST'],
  [10, 'AEST CHST'],
  [10.5, 'ACDT'],
  [11, 'AEDT'],
  [12, 'NZST'],
  [13, 'NZDT'],
];
const zoneOffsets: ReadonlyMap<string, number> = new Map(
  zones.flatMap(([hours, names]) => names.split(' ').map((name) => [name, hours] as const)),
);

interface Fields {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
  /** NaN where a half of the day has no such hour. */
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** Digits behind the decimal point of the second. */
  readonly fraction: string;
  /** Zone as typed; empty means UTC. */
  readonly zone: string;
}

/**
 * Reads a moment: ISO 8601 or nearly so, dates as people write them in English (`Nov 21st 2026, 10:00 PM PST`), or seconds since
 * the UNIX epoch. A date is always needed: what is left out may not be filled from the clock, or a text would change with the
 * day on which it is rendered.
 *
 * @returns the moment in UTC as ISO 8601, or undefined
 */
export function parseMoment(typed: string): string | undefined {
  const text = typed.trim().replaceAll(/\s+/g, ' ');
  const fields = readFields(text);
  const moment = fields === undefined ? undefined : toUtc(fields);
  // Eight digits that are no date are seconds.
  if (moment === undefined && unixFormat.test(text)) return readUnix(text);
  return moment;
}

function readUnix(text: string): string | undefined {
  const [seconds, fraction = ''] = text.split('.');
  return formatUtc(Number(seconds) * 1000, fraction);
}

type Groups = Readonly<Record<string, string | undefined>>;

function readFields(text: string): Fields | undefined {
  const format = formats.find((one) => one.test(text));
  const groups: Groups | undefined = format?.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const { year, minute = '0', second = '0', fraction = '', zone: typedZone = '' } = groups;
  return {
    ...dayOf(groups, text),
    year: Number(year),
    hour: hourOf(groups),
    minute: Number(minute),
    second: Number(second),
    fraction,
    zone: typedZone,
  };
}

/** Of two numbers the first is the month, but where it cannot be and the year comes last. */
function dayOf({ year, mark, name, ...typed }: Groups, text: string): Pick<Fields, 'month' | 'day'> {
  const month = name === undefined ? Number(typed['month']) : monthNumber(name);
  const day = Number(typed['day']);
  const isDayFirst = month > 12 && mark !== undefined && text.includes(`${mark}${year}`);
  return isDayFirst ? { month: day, day: month } : { month, day };
}

/** 0 for no month. */
function monthNumber(name: string): number {
  const typed = name.toLowerCase() === 'sept' ? 'sep' : name.toLowerCase();
  return monthNames.findIndex((month) => month === typed || month.slice(0, 3) === typed) + 1;
}

function hourOf({ hour, wholeHour: whole, half }: Record<string, string | undefined>): number {
  const typed = Number(hour ?? whole ?? 0);
  if (half === undefined) return typed;
  return typed > 12 ? Number.NaN : (typed % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
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
  if (match === null) return zoneOffsets.get(zone === '' ? 'Z' : zone.toUpperCase());
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
