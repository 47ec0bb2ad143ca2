import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = 'docs/api';

/** The pages about areas of the API: all but the index, the first steps, and what is different elsewhere. */
export const areaPages: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith('.md') && !['README.md', 'quick-start.md', 'differences.md'].includes(name))
  .sort();

/** The text of one of the pages. */
export function pageText(name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

/** The cells of the rows of all tables under a heading, without the headings of columns; empty where there is no such heading. */
export function rowsUnder(page: string, heading: string): readonly (readonly string[])[] {
  const [, section = ''] = pageText(page).split(new RegExp(`^#+ ${heading}$`, 'm'));
  const [body = ''] = section.split(/^## /m);
  const lines = body.split('\n');
  return lines
    .filter((line, index) => line.startsWith('|') && !isRule(line) && !isRule(lines[index + 1] ?? ''))
    .map((line) => cellsOf(line));
}

/** Whether a line stands between the names of columns and their rows. */
function isRule(line: string): boolean {
  return /^\|[ :|-]+\|$/.test(line);
}

function cellsOf(line: string): readonly string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** What a text has between backquotes. */
export function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, name]) => name!);
}
