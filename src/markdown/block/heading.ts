import { appendElement, type BlockElement, type BlockTag } from './element.js';
import { outdent } from './indentation.js';
import { listIndentation } from './list.js';
import type { BlockRule } from './block-parser.js';

interface Heading {
  readonly level: number;
  readonly text: string;
  /** Where its line begins and where the next one does. */
  readonly from: number;
  readonly to: number;
}

const headingMark = /(?:^|\n)(#{1,6})\s/g;

/** One to six `#` and a blank at the beginning of any line of the block; what stands around it is parsed apart. */
export const parseHeading: BlockRule = (parent, blocks, parser) => {
  const block = blocks.peek() ?? '';
  if (!block.includes('#')) return false;
  const heading = findHeading(block);
  parser.budget.spend(heading?.to ?? block.length);
  if (heading === undefined) return false;
  blocks.take();
  if (heading.from > 0) parser.parseBlock(parent, block.slice(0, heading.from));
  appendHeading(parent, heading);
  const rest = block.slice(heading.to);
  blocks.putBack(parser.context === 'loose-list' ? outdent(rest, listIndentation) : rest);
  return true;
};

function appendHeading(parent: BlockElement, { level, text }: Heading): void {
  appendElement(parent, `h${level}` as BlockTag, text);
}

function findHeading(block: string): Heading | undefined {
  for (const match of block.matchAll(headingMark)) {
    const textStart = match.index + match[0].length;
    const lineEnd = block.indexOf('\n', textStart);
    const textEnd = lineEnd === -1 ? block.length : lineEnd;
    const line = block.slice(textStart, textEnd);
    // A backslash takes the next character with it, and there is none at the end of a line.
    if (trailingBackslashes(line, line.length) % 2 === 1) continue;
    const level = match[1]?.length ?? 1;
    return {
      level,
      text: withoutClosingMarks(line).trim(),
      from: match.index,
      to: lineEnd === -1 ? textEnd : textEnd + 1,
    };
  }
  return undefined;
}

function withoutClosingMarks(line: string): string {
  let end = line.length;
  while (line[end - 1] === '#') end -= 1;
  const escaped = end < line.length && trailingBackslashes(line, end) % 2 === 1;
  return line.slice(0, escaped ? end + 1 : end);
}

function trailingBackslashes(line: string, end: number): number {
  let start = end;
  while (line[start - 1] === '\\') start -= 1;
  return end - start;
}
