const date = String.raw`(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})`;
const time = String.raw`(?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d+))?)?`;
const zone = String.raw` ?(?<zone>[Zz]|[+-]\d{2}(?::?\d{2})?)?`;
const basicDate = String.raw`(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})`;
const basicTime = String.raw`(?<hour>\d{2})(?<minute>\d{2})(?:(?<second>\d{2})(?:[.,](?<fraction>\d+))?)?`;

/** The two formats of ISO 8601, with a blank or a small `t` where people write one. */
const formats: readonly RegExp[] = [
  new RegExp(`^${date}(?:[Tt ]${time}${zone})?$`),
  new RegExp(`^${basicDate}(?:[Tt]${basicTime}${zone})?$`),
];

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
 * Reads a moment of ISO 8601. A date is always needed: what is left out may not be filled from the clock, or a text would change with
 * the day on which it is rendered.
 *
 * @returns the moment in UTC as ISO 8601, or undefined
 */
export function parseMoment(typed: string): string | undefined {
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

/** Hours east of UTC. */
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
