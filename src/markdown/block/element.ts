/**
 * What a block can be. A `spoiler` holds two `section`s, its header and its content; the whole text is a `section`. The text
 * of a `fenced` or a `preview` is the place of its HTML.
 */
export type BlockTag =
  | 'section'
  | 'p'
  | 'ul'
  | 'ol'
  | 'li'
  | 'blockquote'
  | 'hr'
  | 'pre'
  | 'fenced'
  | 'spoiler'
  | 'preview'
  | 'table'
  | 'thead'
  | 'tbody'
  | 'tr'
  | 'th'
  | 'td'
  | `h${1 | 2 | 3 | 4 | 5 | 6}`;

/**
 * A node of the tree of blocks: source text, then children, then source text that follows the node itself. Texts are
 * Markdown still, save that of a `pre`, which is literal.
 */
export interface BlockElement {
  readonly tag: BlockTag;
  text: string;
  tail: string;
  readonly children: BlockElement[];
  /** First number of an `ol` that does not begin with 1. */
  start?: string;
  /** How the text of a table's cell is aligned. */
  alignment?: Alignment;
}

export type Alignment = 'left' | 'center' | 'right';

/** A node that belongs to no tree yet. */
export function createElement(tag: BlockTag, text = ''): BlockElement {
  return { tag, text, tail: '', children: [] };
}

/** Creates a node as the last child of `parent`. */
export function appendElement(parent: BlockElement, tag: BlockTag, text = ''): BlockElement {
  const element = createElement(tag, text);
  parent.children.push(element);
  return element;
}

export function lastChild(parent: BlockElement): BlockElement | undefined {
  return parent.children.at(-1);
}

export function isList(element: BlockElement | undefined): element is BlockElement {
  return element?.tag === 'ul' || element?.tag === 'ol';
}

/** Moves the text of a list item into a paragraph of its own: what makes an item loose. */
export function wrapItemText(item: BlockElement): void {
  if (item.text === '') return;
  item.children.unshift(createElement('p', item.text));
  item.text = '';
}
