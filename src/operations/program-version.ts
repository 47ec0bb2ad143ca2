import { readFileSync } from 'node:fs';

/** The version of the program. The package's description lies above the folder that everything is built into. */
export function programVersion(): string {
  const file = new URL('../../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}
