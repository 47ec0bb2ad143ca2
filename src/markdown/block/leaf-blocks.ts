import type { BlockRule } from './block-parser.js';
import { lastChild, appendElement, type BlockElement, type BlockTag } from './element.js';
import { outdent, splitIndented } from './indentation.js';
import { LIST_INDENTATION } from './list.js';

/** Drops blank lines, except inside indented code. */
export const parseEmptyBlock: BlockRule = (parent, blocks) => {
  const block = blocks.peek() ?? '';
  if (block !== '' && !block.startsWith('\n')) return false;
  blocks.take();
  blocks.putBack(block.slice(1));
  const previous = lastChild(parent);
  if (previous?.tag === 'pre') previous.text += block === '' ? '\n' : '\n\n';
  return true;
};

interface Heading {
  readonly level: number;
  readonly text: string;
  /** Where its line begins, and where the next one begins. */
  readonly from: number;
  readonly to: number;
}

const headingMark = /(?:^|\n)(#{1,6})\s/g;

/** A heading: one to six `#` and a blank at the beginning of a line. The lines before and after it are parsed separately. */
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
  blocks.putBack(parser.context === 'loose-list' ? outdent(rest, LIST_INDENTATION) : rest);
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
    // A backslash escapes the next character, and at the end of a line there is none.
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

const ruleLine = /^ {0,3}(?:(?:- {0,2}){3,}|(?:_ {0,2}){3,}|(?:\* {0,2}){3,}) *$/m;

/** A horizontal rule: a line of three or more `-`, `_` or `*` with at most two blanks between them. */
export const parseRule: BlockRule = (parent, blocks, parser) => {
  const block = blocks.peek() ?? '';
  const match = ruleLine.exec(block);
  parser.budget.spend(match === null ? block.length : match.index + match[0].length);
  if (match === null) return false;
  blocks.take();
  const before = block.slice(0, match.index).replace(/\n+$/, '');
  if (before !== '') parser.parseBlock(parent, before);
  appendElement(parent, 'hr');
  blocks.putBack(block.slice(match.index + match[0].length).replace(/^\n+/, ''));
  return true;
};

const CODE_INDENTATION = 4;

/** Indented code: lines indented by four blanks, after a blank line. Consecutive ones form one block. */
export const parseIndentedCode: BlockRule = (parent, blocks) => {
  if (blocks.peek()?.startsWith(' '.repeat(CODE_INDENTATION)) !== true) return false;
  const { indented, rest } = splitIndented(blocks.take(), CODE_INDENTATION);
  const code = `${indented.trimEnd()}\n`;
  const previous = lastChild(parent);
  if (previous?.tag === 'pre') previous.text += `\n${code}`;
  else appendElement(parent, 'pre', code);
  blocks.putBack(rest);
  return true;
};

/** The last rule takes everything: as a paragraph, or directly inside a list item as the item's text. Fenced code stands by itself. */
export const parseParagraph: BlockRule = (parent, blocks, parser) => {
  const block = blocks.take();
  if (block.trim() === '') return true;
  if (parser.context === 'list') addItemText(parent, block);
  else if (parser.fences.isPlace(block)) appendElement(parent, 'fenced', block.trim());
  else appendElement(parent, 'p', block.trimStart());
  return true;
};

function addItemText(item: BlockElement, block: string): void {
  const previous = lastChild(item);
  if (previous !== undefined) previous.tail = `${previous.tail}\n${block}`;
  else item.text = item.text === '' ? block.trimStart() : `${item.text}\n${block.trimStart()}`;
}
