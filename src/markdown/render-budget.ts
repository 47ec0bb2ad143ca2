import { budgets } from '../kernel/budgets.js';
import { ApplicationError, failure } from '../kernel/errors.js';

/**
 * What one rendering may still cost. It counts and never measures time: the same text must come out the same wherever and
 * whenever it is rendered. Every method throws `unrenderableText` once its count is used up, so that nothing much larger than the
 * budget is ever made.
 */
export class RenderBudget {
  #steps: number = budgets.renderingSteps.max;
  #cells: number = budgets.tableCells.max;
  #html: number = budgets.renderedHtml.max;

  /** Characters of HTML that may still be written. */
  get htmlLeft(): number {
    return this.#html;
  }

  /** Counts work: about one step for each character that is looked at. */
  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw failure('unrenderableText');
  }

  /** Counts the cells of a table before they are made. */
  addCells(cells: number): void {
    this.#cells -= cells;
    if (this.#cells < 0) throw failure('unrenderableText');
  }

  /** Counts HTML that is about to be written, and returns it. */
  write(html: string): string {
    this.addHtml(html.length);
    return html;
  }

  /** The same for so many characters of it. */
  addHtml(length: number): void {
    this.#html -= length;
    if (this.#html < 0) throw failure('unrenderableText');
  }
}

/** Whether a rendering was given up because it would cost too much. */
export function isOverBudget(error: unknown): boolean {
  return error instanceof ApplicationError && error.row === 'unrenderableText';
}
