import { budgets } from '../kernel/budgets.js';
import { formulaCost, formulaError, formulaHtml, type FormulaPlacement } from './formula.js';
import type { Stash } from './stash.js';

/** Whether a text may contain formulas, without parsing it. */
export function mayHoldFormulas(text: string): boolean {
  return text.includes('$$') || text.includes('math');
}

/**
 * Renders the formulas of one text, after everything else is written, so that none is rendered when a text is only searched for names or
 * checked for its length.
 */
export class Formulas {
  readonly #stash: Stash;
  readonly #displays = new Set<string>();
  #left: number = budgets.formulas.max;

  constructor(stash: Stash) {
    this.#stash = stash;
  }

  /** Returns the placeholder of a formula between `$$` and `$$`. */
  putInline(tex: string): string {
    return this.#put(tex, 'inline', formulaError(`$$${tex}$$`));
  }

  /** Returns the placeholder of a fenced block of formulas. Each paragraph of it is a formula. */
  putDisplay(text: string): string {
    const formulas = text.split('\n\n').filter((tex) => tex.trim() !== '');
    const places = formulas.map((tex) => this.#put(tex, 'display', formulaError(tex)));
    const display = this.#stash.put(`<p>${places.join('\n\n')}</p>`);
    this.#displays.add(display);
    return display;
  }

  /** Whether a text is the placeholder of a fenced block of formulas, which is already a paragraph. */
  isDisplay(text: string): boolean {
    return this.#displays.has(text);
  }

  #put(tex: string, placement: FormulaPlacement, fallback: string): string {
    return this.#stash.putDeferred({ fallback, make: () => this.#set(tex, placement) });
  }

  #set(tex: string, placement: FormulaPlacement): string | null {
    this.#left -= formulaCost(tex);
    return this.#left < 0 ? null : formulaHtml(tex, placement);
  }
}
