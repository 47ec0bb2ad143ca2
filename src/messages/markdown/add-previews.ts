import { createElement, type BlockElement } from './block/element.js';
import type { BlockLink } from './parse-texts.js';
import { previewOf } from './preview.js';
import type { Stash } from './stash.js';

/** A message with more different links than this shows no previews. */
const mostLinks = 24;

/**
 * Adds previews of images and videos behind the blocks that link to them; a paragraph that is only the address gives way.
 *
 * @returns whether a picture is shown
 */
export function addPreviews(root: BlockElement, links: readonly BlockLink[], stash: Stash): boolean {
  const candidates = links.filter(({ quoted }) => !quoted);
  const urls = new Set(candidates.map(({ link }) => link.url));
  if (urls.size > mostLinks) return false;
  let hasImage = false;
  for (const candidate of candidates) {
    const preview = urls.delete(candidate.link.url) ? previewOf(candidate.link) : undefined;
    if (preview === undefined) continue;
    if (preview.replaces) removeIfAlone(candidate);
    place(root, candidate, createElement('preview', stash.put(preview.html)));
    hasImage ||= preview.image;
  }
  return hasImage;
}

/** Takes away the text of a paragraph or an item that is nothing but the address: the preview stands there instead. */
function removeIfAlone({ link, element }: BlockLink): void {
  if (element.tag !== 'p' && element.tag !== 'li') return;
  if (element.text === link.place && link.text === link.url) element.text = '';
}

function place(root: BlockElement, { direct, element, parent }: BlockLink, preview: BlockElement): void {
  if (direct && element.tag === 'li') {
    element.children.push(preview);
  } else if (direct && element.tag === 'p') {
    const index = parent.children.indexOf(element);
    if (element.text === '') parent.children.splice(index, 1, preview);
    else parent.children.splice(afterPreviews(parent, index), 0, preview);
  } else {
    root.children.push(preview);
  }
}

function afterPreviews(parent: BlockElement, index: number): number {
  let next = index + 1;
  while (parent.children[next]?.tag === 'preview') next += 1;
  return next;
}
