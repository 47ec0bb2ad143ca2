import { createElement, type BlockElement } from './block/element.js';
import type { BlockLink } from './parse-texts.js';
import type { ParsedMessage } from './parse-message.js';
import { previewOf } from './preview.js';
import type { ReferenceSource } from './references.js';
import type { Stash } from './stash.js';

/** A message with more different links than this shows no previews. */
const MAX_LINKS = 24;

/**
 * Adds previews of images and videos after the blocks that link to them. A paragraph that consists of the address alone is replaced.
 *
 * @returns whether a preview was added
 */
export function addPreviews(
  { root, links, stash }: ParsedMessage,
  references: Pick<ReferenceSource, 'media'>,
): boolean {
  const candidates = links.filter(({ quoted }) => !quoted);
  const urls = new Set(candidates.map(({ link }) => link.url));
  if (urls.size > MAX_LINKS) return false;
  const places = new PreviewPlaces(root);
  let hasImage = false;
  for (const candidate of candidates) {
    const preview = urls.delete(candidate.link.url)
      ? previewOf(candidate.link, references.media(candidate.link.url))
      : undefined;
    if (preview === undefined) continue;
    if (preview.replaces) removeIfAlone(candidate, stash);
    places.put(candidate, createElement('preview', stash.put(preview.html)));
    hasImage ||= preview.image;
  }
  return hasImage;
}

/**
 * Empties the text of a paragraph or list item that consists of the address alone, because the preview replaces it. A list item keeps its
 * empty text.
 */
function removeIfAlone({ link, element }: BlockLink, stash: Stash): void {
  if (element.text !== link.place || link.text !== link.url) return;
  if (element.tag === 'p') element.text = '';
  if (element.tag === 'li') element.text = stash.put('');
}

/** Finds the place of a preview: inside the list item; after the paragraph and its earlier previews; or else at the end. */
class PreviewPlaces {
  readonly #root: BlockElement;
  readonly #behind = new Map<BlockElement, number>();

  constructor(root: BlockElement) {
    this.#root = root;
  }

  put({ direct, element, parent }: BlockLink, preview: BlockElement): void {
    if (direct && element.tag === 'li') element.children.push(preview);
    else if (direct && element.tag === 'p') this.#putBehind(element, parent, preview);
    else this.#root.children.push(preview);
  }

  #putBehind(paragraph: BlockElement, parent: BlockElement, preview: BlockElement): void {
    const index = parent.children.indexOf(paragraph);
    if (paragraph.text === '') {
      parent.children.splice(index, 1, preview);
      return;
    }
    const before = this.#behind.get(paragraph) ?? 0;
    parent.children.splice(index + 1 + before, 0, preview);
    this.#behind.set(paragraph, before + 1);
  }
}
