import { escapeAttribute } from '../html.js';
import type { Formulas } from '../formulas.js';
import type { ReferenceSource } from '../references.js';
import type { RenderBudget } from '../render-budget.js';
import type { Stash } from '../stash.js';

/**
 * One pass over a text: replaces what it recognises by placeholders for finished HTML, and leaves the rest to later passes. A pass must
 * cost next to nothing on a text without its characters.
 */
export type InlinePass = (text: string, inline: InlineParser) => string;

/** A link of the text, for previews. */
export interface TextLink {
  readonly url: string;
  readonly text: string;
  /** Its placeholder in the text. */
  readonly place: string;
}

/** Turns the text of one block into HTML. */
export class InlineParser {
  readonly references: ReferenceSource;
  readonly stash: Stash;
  readonly formulas: Formulas;
  readonly budget: RenderBudget;
  /** Links found since the caller last emptied this list. */
  links: TextLink[] = [];
  readonly #passes: readonly InlinePass[];
  #nextPass = 0;

  /** @param passes in order of precedence: see `inlinePasses` */
  constructor(
    passes: readonly InlinePass[],
    {
      references,
      stash,
      formulas,
      budget,
    }: Pick<InlineParser, 'references' | 'stash' | 'formulas' | 'budget'>,
  ) {
    this.#passes = passes;
    this.references = references;
    this.stash = stash;
    this.formulas = formulas;
    this.budget = budget;
  }

  /** Parses a whole text. The result contains placeholders for HTML. */
  parse(text: string): string {
    return this.#run(text, 0);
  }

  /** For passes: the HTML of the text between marks, to which only the later passes apply. */
  innerHtml(text: string): string {
    const resume = this.#nextPass;
    const html = this.stash.toHtml(this.#run(text, resume));
    this.#nextPass = resume;
    return html;
  }

  /** For passes: adds a link and returns its placeholder. Its text is not parsed further. The address must be safe. */
  putLink({ url, text }: { readonly url: string; readonly text: string }): string {
    const place = this.stash.put(`<a href="${escapeAttribute(url)}">${this.stash.toHtml(text)}</a>`);
    this.links.push({ url, text, place });
    return place;
  }

  #run(text: string, from: number): string {
    this.budget.spend(text.length);
    let parsed = text;
    for (let index = from; index < this.#passes.length; index += 1) {
      this.#nextPass = index + 1;
      parsed = this.#passes[index]?.(parsed, this) ?? parsed;
    }
    return parsed;
  }
}
