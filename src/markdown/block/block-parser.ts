import { createElement, type BlockElement } from './element.js';
import { BlockQueue } from './block-queue.js';
import type { RenderBudget } from '../render-budget.js';
import type { Fences } from './fences.js';

/** What the parser is inside of: it decides whether text becomes a paragraph or stands in its list item. */
export type BlockContext = 'document' | 'list' | 'loose-list' | 'list-item' | 'quote';

/**
 * Parses the next block of the queue into `parent` if it is of the rule's kind; parts that are something else are put
 * back. Returns whether it was.
 */
export type BlockRule = (parent: BlockElement, blocks: BlockQueue, parser: BlockParser) => boolean;

/** Beyond this, marks of lists and quotes are text: it bounds time and stack for hostile input. */
const deepestNesting = 40;

/**
 * Turns a text without fences into a tree of blocks. The text is split at blank lines first and each block is then offered
 * to the rules. That is not how CommonMark reads a text, and no configuration of a CommonMark parser comes out the same: but
 * it is how the API's clients expect lists, quotes and paragraphs to begin, nest and end.
 */
export class BlockParser {
  readonly fences: Fences;
  readonly budget: RenderBudget;
  readonly #rules: readonly BlockRule[];
  readonly #contexts: BlockContext[] = ['document'];
  #depth = 0;

  /** @param rules in order of precedence: see `blockRules` */
  constructor(rules: readonly BlockRule[], { fences, budget }: Pick<BlockParser, 'fences' | 'budget'>) {
    this.#rules = rules;
    this.fences = fences;
    this.budget = budget;
  }

  /** What the text being parsed stands directly in. */
  get context(): BlockContext {
    return this.#contexts.at(-1) ?? 'document';
  }

  /** Whether the text being parsed stands within a quotation. */
  get isQuoted(): boolean {
    return this.#contexts.includes('quote');
  }

  /** Whether another list or quote may still open. */
  get mayNest(): boolean {
    return this.#depth < deepestNesting;
  }

  parseDocument(source: string): BlockElement {
    const root = createElement('section');
    this.parseText(root, source);
    return root;
  }

  /** Runs `parse` inside a context. */
  within(context: BlockContext, parse: () => void): void {
    this.#contexts.push(context);
    parse();
    this.#contexts.pop();
  }

  /** Parses a text that may hold blank lines. */
  parseText(parent: BlockElement, text: string): void {
    this.parseBlocks(parent, text.split('\n\n'));
  }

  /** Parses one block, in which lines may still be of several kinds. */
  parseBlock(parent: BlockElement, block: string): void {
    this.parseBlocks(parent, [block]);
  }

  private parseBlocks(parent: BlockElement, blocks: readonly string[]): void {
    const queue = new BlockQueue(blocks);
    this.#depth += 1;
    while (queue.peek() !== undefined) {
      this.#rules.some((rule) => rule(parent, queue, this));
    }
    this.#depth -= 1;
  }
}
