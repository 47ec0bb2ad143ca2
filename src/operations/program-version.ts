import { readFileSync } from 'node:fs';

/** The version of the program, from the `package.json` above the build folder. */
export function programVersion(): string {
  const file = new URL('../../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}
