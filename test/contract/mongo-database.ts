import { randomUUID } from 'node:crypto';

/** The server that contract suites run on beside the embedded stores; undefined: those parts are skipped, visibly. */
export const mongoUrl = process.env['MONGODB_URL'];

/** The URL of a database that no other test uses. The suite drops it when it is done. */
export function mongoDatabaseUrl(prefix: string): string {
  if (mongoUrl === undefined) return '';
  const url = new URL(mongoUrl);
  url.pathname = `/${prefix}_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  return url.href;
}
