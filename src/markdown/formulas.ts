import { budgets } from '../kernel/budgets.js';
import { formulaCost, formulaError, formulaHtml, type FormulaPlacement } from './formula.js';
import type { Stash } from './stash.js';

/** Whether a text can hold formulas at all, told without parsing it. */
export function mayHoldFormulas(text: string): boolean {
  return text.includes('$$') || text.includes('math');
}

/** Sets the formulas of one text, once all the rest is written: looking for names in a text, or checking its length, sets none. */
export class Formulas {
  readonly #stash: Stash;
  readonly #displays = new Set<string>();
  #left: number = budgets.formulas.max;

  constructor(stash: Stash) {
    this.#stash = stash;
  }

  /** The place of a formula between `$$` and `$$`. */
  putInline(tex: string): string {
    return this.#put(tex, 'inline', formulaError(`$$${tex}$$`));
  }

  /** The place of a fence of formulas, one in each paragraph. */
  putDisplay(text: string): string {
    const formulas = text.split('\n\n').filter((tex) => tex.trim() !== '');
    const places = formulas.map((tex) => this.#put(tex, 'display', formulaError(tex)));
    const display = this.#stash.put(`<p>${places.join('\n\n')}</p>`);
    this.#displays.add(display);
    return display;
  }

  /** Whether a text is the place of a fence of formulas: a paragraph already. */
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
