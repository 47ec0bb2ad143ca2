/** Maximum length of a stored client name. */
const MAX_LENGTH = 100;

/** Name of the client program: the User-Agent up to its first slash. */
export function clientName(userAgent: string | undefined): string {
  return userAgent?.split('/', 1)[0]?.trim().slice(0, MAX_LENGTH) || 'Unspecified';
}
