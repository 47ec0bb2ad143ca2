import { lastChild } from './element.js';
import type { BlockRule } from './block-parser.js';

/** Drops blank lines, except that within indented code they are kept. */
export const parseEmptyBlock: BlockRule = (parent, blocks) => {
  const block = blocks.peek() ?? '';
  if (block !== '' && !block.startsWith('\n')) return false;
  blocks.take();
  blocks.putBack(block.slice(1));
  const previous = lastChild(parent);
  if (previous?.tag === 'pre') previous.text += block === '' ? '\n' : '\n\n';
  return true;
};
