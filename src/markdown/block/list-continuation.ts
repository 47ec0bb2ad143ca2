import { appendElement, isList, lastChild, wrapItemText, type BlockElement } from './element.js';
import { indentationOf, outdent } from './indentation.js';
import { LIST_INDENTATION } from './list.js';
import type { BlockRule } from './block-parser.js';

/** An indented block below a list belongs to one of its items: deeper indentation selects a deeper item. */
export const parseListContinuation: BlockRule = (parent, blocks, parser) => {
  const block = blocks.peek() ?? '';
  if (!block.startsWith(' '.repeat(LIST_INDENTATION)) || parser.context === 'list-item' || !parser.mayNest)
    return false;
  if (parent.tag !== 'li' && !isList(lastChild(parent))) return false;
  blocks.take();
  const depth = Math.floor(indentationOf(block) / LIST_INDENTATION);
  const { level, element } = descend(parent, depth, parser.context === 'list' ? 1 : 0);
  const text = outdent(block, LIST_INDENTATION * level);
  parser.within('list-item', () => parser.parseText(ownerOf(parent, element), text));
  return true;
};

interface Level {
  readonly level: number;
  readonly element: BlockElement;
}

/** Follows the last children down through the lists, one level per list, as far as the indentation reaches. */
function descend(parent: BlockElement, depth: number, startLevel: number): Level {
  let level = startLevel;
  let element = parent;
  while (depth > level) {
    const child = lastChild(element);
    if (child === undefined || (child.tag !== 'li' && !isList(child))) break;
    if (isList(child)) level += 1;
    element = child;
  }
  return { level, element };
}

function ownerOf(parent: BlockElement, element: BlockElement): BlockElement {
  if (parent.tag === 'li') {
    const nested = lastChild(parent);
    return isList(nested) ? nested : parent;
  }
  if (element.tag === 'li') return element;
  const item = lastChild(element);
  if (item?.tag !== 'li') return appendElement(element, 'li');
  wrapItemText(item);
  return item;
}
