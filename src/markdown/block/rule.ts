import { appendElement } from './element.js';
import type { BlockRule } from './block-parser.js';

const ruleLine = /^ {0,3}(?:(?:- {0,2}){3,}|(?:_ {0,2}){3,}|(?:\* {0,2}){3,}) *$/m;

/** A line of three or more `-`, `_` or `*`, at most two blanks apart: a horizontal rule. */
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
