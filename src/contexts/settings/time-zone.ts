/** Identifiers of the IANA database; offsets and other spellings that the platform understands are none. */
const identifier = /^[A-Z][A-Za-z0-9_+-]*(\/[A-Z][A-Za-z0-9_+-]*)*$/;

/** Whether it names a time zone; empty says that none is known. */
export function isTimeZone(value: unknown): boolean {
  if (value === '') return true;
  if (typeof value !== 'string' || !identifier.test(value)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== '';
  } catch {
    // The platform throws for a name that it does not know.
    return false;
  }
}
