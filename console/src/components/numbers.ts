const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const oneDigit = new Intl.NumberFormat(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** 12,345 */
export function count(value: number): string {
  return whole.format(value);
}

/** 12.3 */
export function rate(value: number): string {
  return value >= 100 ? whole.format(value) : oneDigit.format(value);
}

/** “1 event”, “12 events”. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** 12.3 MiB */
export function bytes(value: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let [size, unit] = [value, 0];
  while (size >= 1024 && unit < units.length - 1) [size, unit] = [size / 1024, unit + 1];
  return `${unit === 0 ? whole.format(size) : oneDigit.format(size)} ${units[unit]}`;
}

/** “4 s”, “12 min”, “3 h”, “5 d”. @param seconds of any size */
export function duration(seconds: number): string {
  if (seconds < 1) return `${whole.format(seconds * 1000)} ms`;
  if (seconds < 10) return `${oneDigit.format(seconds)} s`;
  if (seconds < 90) return `${whole.format(seconds)} s`;
  if (seconds < 5400) return `${whole.format(seconds / 60)} min`;
  if (seconds < 129_600) return `${whole.format(seconds / 3600)} h`;
  return `${whole.format(seconds / 86_400)} d`;
}

/** The server's maximum: the actual number may be higher. */
const MAX_COUNTED = 1_000;

/** The most waiting e-mails and notifications that the server counts. */
const MAX_WAITING = 500;

/** “12”, “500 or more”: what waits to be sent. */
export function waitingCount(value: number): string {
  return value < MAX_WAITING ? count(value) : `${count(value)} or more`;
}

/** “12 events”, “1,000 or more events”: a lag. */
export function eventsBehind(value: number): string {
  return value < MAX_COUNTED ? plural(value, 'event') : `${count(value)} or more events`;
}
