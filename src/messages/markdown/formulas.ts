import { formulaError, formulaHtml, type FormulaPlacement } from './formula.js';
import type { Stash } from './stash.js';

/** How much HTML the formulas of one text may come to, in UTF-16 units; those after that are shown as typed. */
const mostHtml = 300_000;

/** Sets the formulas of one text. Each is set when its HTML is needed: looking for names in a text sets none. */
export class Formulas {
  readonly #stash: Stash;
  #left = mostHtml;

  constructor(stash: Stash) {
    this.#stash = stash;
  }

  /** The place of a formula between `$$` and `$$`. */
  putInline(tex: string): string {
    return this.#stash.put(() => this.#set(tex, 'inline') ?? formulaError(`$$${tex}$$`));
  }

  /** The place of a fence of formulas, one in each paragraph. */
  putDisplay(text: string): string {
    const formulas = text.split('\n\n').filter((tex) => tex.trim() !== '');
    return this.#stash.put(() => {
      const html = formulas.map((tex) => this.#set(tex, 'display') ?? formulaError(tex));
      return `<p>${html.join('\n\n')}</p>`;
    });
  }

  #set(tex: string, placement: FormulaPlacement): string | null {
    const html = this.#left > 0 ? formulaHtml(tex, placement) : null;
    if (html === null) return null;
    this.#left -= html.length;
    return this.#left < 0 ? null : html;
  }
}
