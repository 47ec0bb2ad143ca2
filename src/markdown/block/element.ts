/**
 * The kinds of blocks. A `spoiler` contains two `section`s, its header and its content; the whole text is a `section`. The text of a
 * `fenced` or a `preview` is a placeholder for its HTML.
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
 * A node of the tree of blocks: source text, children, and source text that follows the node. Texts are still Markdown, except the literal
 * text of a `pre`.
 */
export interface BlockElement {
  readonly tag: BlockTag;
  text: string;
  tail: string;
  readonly children: BlockElement[];
  /** First number of an `ol`, if it is not 1. */
  start?: string;
  /** Alignment of the text in a table cell. */
  alignment?: Alignment;
}

export type Alignment = 'left' | 'center' | 'right';

/** A node that is not yet part of a tree. */
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

/** Moves the text of a list item into a paragraph, which makes the item loose. */
export function wrapItemText(item: BlockElement): void {
  if (item.text === '') return;
  item.children.unshift(createElement('p', item.text));
  item.text = '';
}
