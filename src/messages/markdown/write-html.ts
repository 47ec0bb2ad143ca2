import { codeBlock } from './code-block.js';
import type { BlockElement } from './block/element.js';
import type { Stash } from './stash.js';

/** The HTML of a tree whose texts have been parsed. */
export function writeHtml(root: BlockElement, stash: Stash): string {
  return writeChildren(root, stash).trim();
}

function writeChildren(parent: BlockElement, stash: Stash): string {
  let html = '';
  for (const child of parent.children) html += writeElement(child, stash) + writeTail(child, stash);
  return html;
}

function writeElement(element: BlockElement, stash: Stash): string {
  switch (element.tag) {
    case 'hr':
      return '<hr>';
    case 'pre':
      return `${codeBlock(element.text)}\n`;
    case 'fenced':
    case 'preview':
      return stash.toHtml(element.text);
    case 'spoiler':
      return writeSpoiler(element, stash);
    default:
      return `<${element.tag}${attributes(element)}>${writeContent(element, stash)}</${element.tag}>`;
  }
}

function writeContent(element: BlockElement, stash: Stash): string {
  const blocksOnly = element.text.trim() === '' && element.children.length > 0;
  return (blocksOnly ? '\n' : stash.toHtml(element.text)) + writeChildren(element, stash);
}

/** What stands between an element and the next: a line end where the text says nothing. */
function writeTail({ tag, tail }: BlockElement, stash: Stash): string {
  if (tag === 'preview') return '';
  if (tail.trim() === '') return '\n';
  return (tail.startsWith('\u0002') ? '\n' : '') + stash.toHtml(tail);
}

function writeSpoiler({ children: [header, content] }: BlockElement, stash: Stash): string {
  const section = (element: BlockElement | undefined): string =>
    element === undefined ? '' : `\n${writeChildren(element, stash)}`;
  const shown = `<div class="spoiler-header">${section(header)}</div>`;
  const hidden = `<div class="spoiler-content" aria-hidden="true">${section(content)}</div>`;
  return `<div class="spoiler-block">${shown}${hidden}</div>`;
}

function attributes({ start, alignment }: BlockElement): string {
  if (start !== undefined) return ` start="${start}"`;
  return alignment === undefined ? '' : ` style="text-align: ${alignment};"`;
}
