/** Identifiers of the IANA database; offsets and other forms that the platform accepts are refused. */
const identifier = /^[A-Z][A-Za-z0-9_+-]*(\/[A-Z][A-Za-z0-9_+-]*)*$/;

/** Whether it is a time zone; empty means unknown. */
export function isTimeZone(value: unknown): boolean {
  if (value === '') return true;
  if (typeof value !== 'string' || !identifier.test(value)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== '';
  } catch {
    // The platform throws for an unknown name.
    return false;
  }
}
