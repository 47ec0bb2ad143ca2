import type { BlockElement } from './block/element.js';
import type { InlineParser, TextLink } from './inline/inline-parser.js';

/** A link and the block that contains it. */
export interface BlockLink {
  readonly link: TextLink;
  /** Whether it is directly in its block, and not inside other marks. */
  readonly direct: boolean;
  readonly element: BlockElement;
  readonly parent: BlockElement;
  readonly quoted: boolean;
}

/**
 * Parses the texts of a tree in place: afterwards they contain placeholders for HTML.
 *
 * @returns the links, block by block in the order of the text
 */
export function parseTexts(root: BlockElement, inline: InlineParser): readonly BlockLink[] {
  const found: BlockLink[] = [];
  parseElement({ element: root, parent: root, quoted: false }, (text, at) => {
    inline.links = [];
    const parsed = inline.parse(text);
    for (const placed of inOrder(inline.links, parsed)) found.push({ ...placed, ...at });
    return parsed;
  });
  return found;
}

/** Links are found pass by pass. Links inside other marks come last, because clients expect their previews last. */
function inOrder(links: readonly TextLink[], parsed: string): readonly PlacedLink[] {
  const starts = links.map((link) => ({ link, start: parsed.indexOf(link.place) }));
  const inner = starts.filter(({ start }) => start === -1).map(({ link }) => ({ link, direct: false }));
  const direct = starts.filter(({ start }) => start !== -1).sort((one, other) => one.start - other.start);
  return [...direct.map(({ link }) => ({ link, direct: true })), ...inner];
}

type PlacedLink = Pick<BlockLink, 'link' | 'direct'>;
type ElementPlace = Omit<BlockLink, keyof PlacedLink>;

function parseElement(at: ElementPlace, parse: (text: string, at: ElementPlace) => string): void {
  const { element } = at;
  if (element.tag === 'pre' || element.tag === 'fenced') return;
  if (element.text !== '') element.text = parse(element.text, at);
  const quoted = at.quoted || element.tag === 'blockquote';
  for (const child of element.children) {
    parseElement({ element: child, parent: element, quoted }, parse);
    if (child.tail !== '') child.tail = parse(child.tail, { ...at, quoted });
  }
}
