import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createTwoFilesPatch } from 'diff';

const FOLDER = join('test', 'golden', 'files');

/** The most lines of a difference that are shown. */
const MAX_SHOWN_LINES = 80;

/** Whether golden files are written instead of compared: `npm run golden:update`. */
const isUpdating = process.env['UPDATE_GOLDEN'] === '1';

/**
 * Compares a text with a golden file, or writes the file when golden files are updated.
 *
 * @throws Error with the lines that differ
 */
export function expectGolden(name: string, text: string): void {
  const file = join(FOLDER, name);
  const actual = text.endsWith('\n') ? text : `${text}\n`;
  if (isUpdating) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, actual);
    return;
  }
  const expected = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (actual !== expected) throw new Error(differenceOf(file, expected, actual));
}

function differenceOf(file: string, expected: string, actual: string): string {
  const patch = createTwoFilesPatch(file, 'what came', expected, actual, '', '', { context: 3 }) ?? '';
  const lines = patch.split('\n');
  const rest = lines.length - MAX_SHOWN_LINES;
  return [
    `${file} is different. Where that is meant, "npm run golden:update" writes what came.`,
    ...lines.slice(0, MAX_SHOWN_LINES),
    ...(rest > 0 ? [`(${rest} more lines)`] : []),
  ].join('\n');
}
