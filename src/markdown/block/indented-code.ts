import { appendElement, lastChild } from './element.js';
import { splitIndented } from './indentation.js';
import type { BlockRule } from './block-parser.js';

const codeIndentation = 4;

/** Lines behind four blanks, after a blank line: code. Consecutive ones are one block. */
export const parseIndentedCode: BlockRule = (parent, blocks) => {
  if (blocks.peek()?.startsWith(' '.repeat(codeIndentation)) !== true) return false;
  const { indented, rest } = splitIndented(blocks.take(), codeIndentation);
  const code = `${indented.trimEnd()}\n`;
  const previous = lastChild(parent);
  if (previous?.tag === 'pre') previous.text += `\n${code}`;
  else appendElement(parent, 'pre', code);
  blocks.putBack(rest);
  return true;
};
