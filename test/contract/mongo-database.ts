import { randomUUID } from 'node:crypto';
import { describe } from '@jest/globals';

/** The server that contract suites run on beside the embedded stores. */
export const mongoUrl = process.env['MONGODB_URL'];

/** The URL of a database that no other test uses. The suite drops it when it is done. */
export function mongoDatabaseUrl(prefix: string): string {
  if (mongoUrl === undefined) return '';
  const url = new URL(mongoUrl);
  url.pathname = `/${prefix}_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  return url.href;
}

/** Declares a suite that needs the server, and says so where there is none. */
export function describeOnMongo(name: string, suite: () => void): void {
  if (mongoUrl === undefined) describe.skip(`${name} (not run: MONGODB_URL is not set)`, suite);
  else describe(name, suite);
}
