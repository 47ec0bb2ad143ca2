import { appendElement, type Alignment, type BlockElement } from './element.js';
import { indentationOf } from './indentation.js';
import type { BlockRule } from './block-parser.js';

const closingBorder = /(?<!\\)(?:\\\\)*\|$/;
/** A row of headings, and a row of the characters `|`, `:`, `-` and blank. */
const ruledHead = /^([^\n]*)\n([|:\- ]*)(?:\n|$)/;

/**
 * A table: a row of headings, a row of dashes with the same number of cells, and rows. Every row is padded or cut to the number of
 * headings. A table without rows gets one empty, unaligned row.
 */
export const parseTable: BlockRule = (parent, blocks, parser) => {
  const block = blocks.peek() ?? '';
  if (!block.includes('|')) return false;
  const [header, ruler] = ruledHead.exec(block)?.slice(1).map(withoutOuterBlanks) ?? [];
  if (header === undefined || ruler === undefined) return false;
  const bordered = hasBorder(header);
  const headings = splitRow(header, bordered);
  const alignments = splitRow(ruler, bordered).map(alignmentOf);
  if (alignments.length !== headings.length || (headings.length === 1 && !bordered)) return false;
  parser.budget.spend(block.length);
  const rows = block.split('\n').slice(2).map(withoutOuterBlanks);
  if (headings.length === 1 && ![ruler, ...rows].every(hasBorder)) return false;
  parser.budget.addCells(headings.length * (1 + Math.max(rows.length, 1)));
  blocks.take();
  const table = appendElement(parent, 'table');
  appendRow(appendElement(table, 'thead'), headings, alignments);
  const body = appendElement(table, 'tbody');
  if (rows.length === 0)
    appendRow(
      body,
      [],
      headings.map(() => undefined),
    );
  for (const row of rows) appendRow(body, splitRow(row, bordered), alignments);
  return true;
};

function appendRow(
  section: BlockElement,
  cells: readonly string[],
  alignments: readonly (Alignment | undefined)[],
): void {
  const row = appendElement(section, 'tr');
  alignments.forEach((alignment, index) => {
    const cell = appendElement(row, section.tag === 'thead' ? 'th' : 'td', cells[index]?.trim() ?? '');
    if (alignment !== undefined) cell.alignment = alignment;
  });
}

function withoutOuterBlanks(row: string): string {
  let end = row.length;
  while (row[end - 1] === ' ') end -= 1;
  return row.slice(Math.min(indentationOf(row), end), end);
}

function hasBorder(row: string): boolean {
  return row.startsWith('|') || closingBorder.test(row);
}

function alignmentOf(cell: string): Alignment | undefined {
  const mark = cell.trim();
  const left = mark.startsWith(':');
  if (mark.endsWith(':')) return left ? 'center' : 'right';
  return left ? 'left' : undefined;
}

function splitRow(row: string, bordered: boolean): string[] {
  if (!bordered) return splitCells(row);
  const inner = row.startsWith('|') ? row.slice(1) : row;
  return splitCells(closingBorder.test(inner) ? inner.slice(0, -1) : inner);
}

/** Escaped characters, runs of backticks, and cell separators. */
const cellToken = /\\\\|\\`+|`+|\\\||\|/g;

/** Splits a row at `|`, except after a backslash and inside code. */
function splitCells(row: string): string[] {
  const tokens = [...row.matchAll(cellToken)];
  const codeEnds = findCodeEnds(tokens.map(([token]) => token));
  const cells: string[] = [];
  let start = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    at = codeEnds.get(at) ?? at;
    const token = tokens[at];
    if (token?.[0] !== '|') continue;
    cells.push(row.slice(start, token.index));
    start = token.index + 1;
  }
  cells.push(row.slice(start));
  return cells;
}

/**
 * Maps each token that may begin code to the token that ends it: the next one with the same number of backticks, of which the first may be
 * escaped.
 */
function findCodeEnds(tokens: readonly string[]): ReadonlyMap<number, number> {
  const next = new Map<number, number>();
  const ends = new Map<number, number>();
  for (const [at, token] of [...tokens.entries()].reverse()) {
    if (!token.endsWith('`')) continue;
    const escaped = token.startsWith('\\') ? 1 : 0;
    const ticks = token.length - escaped;
    const end = next.get(ticks - escaped);
    if (end !== undefined) ends.set(at, end);
    next.set(ticks, at);
  }
  return ends;
}
