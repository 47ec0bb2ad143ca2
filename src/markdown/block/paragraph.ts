import { appendElement, lastChild, type BlockElement } from './element.js';
import type { BlockRule } from './block-parser.js';

/** Whatever is nothing else: a paragraph, or directly in a list item its text. Code from a fence stands by itself. */
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
