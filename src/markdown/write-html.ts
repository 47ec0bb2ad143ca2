import { codeBlock } from './code-block.js';
import type { BlockElement } from './block/element.js';
import type { RenderBudget } from './render-budget.js';
import type { Stash } from './stash.js';

/**
 * Writes the HTML of a parsed tree, with placeholders that the stash replaces.
 *
 * @throws ApplicationError `unrenderableText` as soon as it exceeds the budget
 */
export function writeHtml(root: BlockElement, stash: Stash, budget: RenderBudget): string {
  return new HtmlWriter(stash, budget).writeChildren(root).trim();
}

/** Counts each piece in the budget as it is written. */
class HtmlWriter {
  readonly #stash: Stash;
  readonly #budget: RenderBudget;

  constructor(stash: Stash, budget: RenderBudget) {
    this.#stash = stash;
    this.#budget = budget;
  }

  writeChildren(parent: BlockElement): string {
    let html = '';
    for (const child of parent.children) html += this.#writeElement(child) + this.#writeTail(child);
    return html;
  }

  #writeElement(element: BlockElement): string {
    switch (element.tag) {
      case 'hr':
        return this.#budget.write('<hr>');
      case 'pre':
        return this.#budget.write(`${codeBlock(element.text)}\n`);
      case 'fenced':
      case 'preview':
        return this.#stash.writeHtml(element.text);
      case 'spoiler':
        return this.#writeSpoiler(element);
      default: {
        const opening = this.#budget.write(`<${element.tag}${attributes(element)}>`);
        return opening + this.#writeContent(element) + this.#budget.write(`</${element.tag}>`);
      }
    }
  }

  #writeContent(element: BlockElement): string {
    const blocksOnly = element.text.trim() === '' && element.children.length > 0;
    const text = blocksOnly ? this.#budget.write('\n') : this.#stash.writeHtml(element.text);
    return text + this.writeChildren(element);
  }

  /** The text after an element, or a line end if it is empty. */
  #writeTail({ tag, tail }: BlockElement): string {
    if (tag === 'preview') return '';
    if (tail.trim() === '') return this.#budget.write('\n');
    return (tail.startsWith('\u0002') ? this.#budget.write('\n') : '') + this.#stash.writeHtml(tail);
  }

  #writeSpoiler({ children: [header, content] }: BlockElement): string {
    const opening = this.#budget.write('<div class="spoiler-block"><div class="spoiler-header">');
    const shown = this.#writeSection(header);
    const between = this.#budget.write('</div><div class="spoiler-content" aria-hidden="true">');
    return opening + shown + between + this.#writeSection(content) + this.#budget.write('</div></div>');
  }

  #writeSection(element: BlockElement | undefined): string {
    return element === undefined ? '' : this.#budget.write('\n') + this.writeChildren(element);
  }
}

function attributes({ start, alignment }: BlockElement): string {
  if (start !== undefined) return ` start="${start}"`;
  return alignment === undefined ? '' : ` style="text-align: ${alignment};"`;
}
