import { appendElement, isList, lastChild, wrapItemText, type BlockElement } from './element.js';
import type { BlockParser, BlockRule } from './block-parser.js';

/** Blanks by which a nested list, or a further paragraph of an item, is indented. */
export const LIST_INDENTATION = 2;

interface ListKind {
  readonly tag: 'ul' | 'ol';
  /** Matches the first line of an item: its mark, then its text. */
  readonly item: RegExp;
}

const bulletList: ListKind = { tag: 'ul', item: /^ ?([*+-]) +(.*)/ };
const numberedList: ListKind = { tag: 'ol', item: /^ ?(\d+)\. +(.*)/ };
const nestedItem = /^ {2,3}(?:\d+\.|[*+-]) +/;

/** A bulleted list: `-`, `*` or `+` and a blank. */
export const parseBulletList: BlockRule = (parent, blocks, parser) =>
  parseList(bulletList, { parent, blocks, parser });

/** A numbered list: a number, a full stop and a blank. */
export const parseNumberedList: BlockRule = (parent, blocks, parser) =>
  parseList(numberedList, { parent, blocks, parser });

interface Place {
  readonly parent: BlockElement;
  readonly blocks: Parameters<BlockRule>[1];
  readonly parser: BlockParser;
}

function parseList(kind: ListKind, { parent, blocks, parser }: Place): boolean {
  const first = kind.item.exec(blocks.peek() ?? '');
  if (first === null || !parser.mayNest) return false;
  const items = splitItems(kind, blocks.take());
  const previous = lastChild(parent);
  if (previous?.tag === kind.tag) {
    appendLooseItem(previous, items.shift() ?? '', parser);
    appendItems(previous, items, parser);
  } else {
    appendItems(isList(parent) ? parent : createList(parent, kind, first[1] ?? ''), items, parser);
  }
  return true;
}

function createList(parent: BlockElement, kind: ListKind, mark: string): BlockElement {
  const list = appendElement(parent, kind.tag);
  if (kind.tag === 'ol' && mark !== '1') list.start = mark;
  return list;
}

/** After a blank line the list continues, and the items before and after the blank line become loose. */
function appendLooseItem(list: BlockElement, text: string, parser: BlockParser): void {
  const previous = lastChild(list);
  if (previous !== undefined) {
    wrapItemText(previous);
    wrapLastTail(previous);
  }
  const item = appendElement(list, 'li');
  parser.within('loose-list', () => parser.parseBlock(item, text));
}

function wrapLastTail(item: BlockElement): void {
  const last = lastChild(item);
  if (last === undefined || last.tail === '') return;
  appendElement(item, 'p', last.tail.trimStart());
  last.tail = '';
}

function appendItems(list: BlockElement, items: readonly string[], parser: BlockParser): void {
  parser.within('list', () => {
    for (const text of items) {
      const nested = text.startsWith(' '.repeat(LIST_INDENTATION));
      const previous = nested ? lastChild(list) : undefined;
      parser.parseBlock(previous ?? appendElement(list, 'li'), text);
    }
  });
}

/** Splits a block into the texts of its items. Consecutive nested items stay together, with their indentation. */
function splitItems(kind: ListKind, block: string): string[] {
  const items: string[] = [];
  const continueItem = (line: string): void => {
    items.push(`${items.pop() ?? ''}\n${line}`);
  };
  for (const line of block.split('\n')) {
    const match = kind.item.exec(line);
    if (match !== null) items.push(match[2] ?? '');
    else if (!nestedItem.test(line)) continueItem(line);
    else if (items.at(-1)?.startsWith(' '.repeat(LIST_INDENTATION)) === true) continueItem(line);
    else items.push(line);
  }
  return items;
}
