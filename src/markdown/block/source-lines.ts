import { fenceOf, isQuoteLanguage } from './fences.js';

const TAB_WIDTH = 4;

/** Splits a text into lines, and removes the control characters that the renderer uses for placeholders. All styles of line ends are accepted. */
export function splitSource(content: string): readonly string[] {
  return content
    .replace(/[\u0002\u0003]/g, '')
    .trimEnd()
    .replace(/^\n+/, '')
    .split(/\r\n?|\n/);
}

/** Expands tabs to multiples of four columns, and empties lines that contain only blanks. */
export function normalizeBlanks(line: string): string {
  const expanded = line.includes('\t') ? expandTabs(line) : line;
  return /^ +$/.test(expanded) ? '' : expanded;
}

function expandTabs(line: string): string {
  const [first = '', ...rest] = line.split('\t');
  let expanded = first;
  let column = [...first].length;
  for (const part of rest) {
    const blanks = TAB_WIDTH - (column % TAB_WIDTH);
    expanded += ' '.repeat(blanks) + part;
    column += blanks + [...part].length;
  }
  return expanded;
}

const listItem = /^ *([*+-]|\d\.) +/;

/**
 * Inserts a blank line before every list that follows a line of text, and between a bulleted and a numbered list, so that each list becomes
 * a block of its own. Lists inside code are not changed.
 */
export function separateHangingLists(lines: readonly string[]): readonly string[] {
  const separated: string[] = [];
  const open = new OpenFences();
  lines.forEach((line, index) => {
    separated.push(line);
    open.pass(line);
    const next = lines[index + 1];
    if (next !== undefined && line !== '' && !open.hideLists && beginsList(line, next)) separated.push('');
  });
  return separated;
}

function beginsList(line: string, next: string): boolean {
  const nextMark = listItem.exec(next)?.[1];
  if (nextMark === undefined) return false;
  const mark = listItem.exec(line)?.[1];
  return mark === undefined || (mark.length === 1) !== (nextMark.length === 1);
}

/** Tracks roughly which fences are open, well enough to know whether a list mark counts. */
class OpenFences {
  readonly #open: { mark: string; code: boolean }[] = [];

  get hideLists(): boolean {
    return this.#open.some(({ code }) => code);
  }

  pass(line: string): void {
    const fence = fenceOf(line);
    if (fence === undefined) return;
    const closes = fence.language === '' && fence.mark === this.#open.at(-1)?.mark;
    if (closes) this.#open.pop();
    else this.#open.push({ mark: fence.mark, code: !isQuoteLanguage(fence.language) });
  }
}
