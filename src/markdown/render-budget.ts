import { budgets } from '../kernel/budgets.js';
import { ApplicationError, failure } from '../kernel/errors.js';

/**
 * The remaining budget of one rendering. It counts steps instead of measuring time, so that a text always renders the same. Every method
 * throws `unrenderableText` when its count is used up, before anything much larger than the budget is created.
 */
export class RenderBudget {
  #steps: number = budgets.renderingSteps.max;
  #cells: number = budgets.tableCells.max;
  #html: number;

  /** @param html maximum number of characters of HTML */
  constructor(html: number = budgets.renderedHtml.max) {
    this.#html = html;
  }

  /** Number of HTML characters that may still be written. */
  get htmlLeft(): number {
    return this.#html;
  }

  /** Counts work: about one step for each character that is examined. */
  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw failure('unrenderableText');
  }

  /** Counts the cells of a table before they are created. */
  addCells(cells: number): void {
    this.#cells -= cells;
    if (this.#cells < 0) throw failure('unrenderableText');
  }

  /** Counts HTML that is about to be written, and returns it. */
  write(html: string): string {
    this.addHtml(html.length);
    return html;
  }

  /** Counts characters of HTML that are about to be written. */
  addHtml(length: number): void {
    this.#html -= length;
    if (this.#html < 0) throw failure('unrenderableText');
  }
}

/** Whether an error means that a rendering exceeded its budget. */
export function isOverBudget(error: unknown): boolean {
  return error instanceof ApplicationError && error.row === 'unrenderableText';
}
