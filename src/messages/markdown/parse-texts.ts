import type { BlockElement } from './block/element.js';
import type { InlineParser, TextLink } from './inline/inline-parser.js';

/** A link and the block that it stands in. */
export interface BlockLink {
  readonly link: TextLink;
  readonly element: BlockElement;
  readonly parent: BlockElement;
  readonly quoted: boolean;
}

/**
 * Parses the texts of a tree in place: each is left with places of finished HTML.
 *
 * @returns the links found, in the order of the text
 */
export function parseTexts(root: BlockElement, inline: InlineParser): readonly BlockLink[] {
  const found: BlockLink[] = [];
  parseElement({ element: root, parent: root, quoted: false }, (text, at) => {
    inline.quoted = at.quoted;
    inline.links = [];
    const parsed = inline.parse(text);
    for (const link of inline.links) found.push({ link, ...at });
    return parsed;
  });
  return found;
}

type Standing = Omit<BlockLink, 'link'>;

function parseElement(at: Standing, parse: (text: string, at: Standing) => string): void {
  const { element } = at;
  if (element.tag === 'pre' || element.tag === 'fenced') return;
  if (element.text !== '') element.text = parse(element.text, at);
  const quoted = at.quoted || element.tag === 'blockquote';
  for (const child of element.children) {
    parseElement({ element: child, parent: element, quoted }, parse);
    if (child.tail !== '') child.tail = parse(child.tail, { ...at, quoted });
  }
}
