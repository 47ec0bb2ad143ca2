import type { RenderBudget } from '../render-budget.js';
import { createElement, type BlockElement } from './element.js';
import type { Fences } from './fences.js';

/** The blocks (texts between blank lines) that are still to be parsed, in order. */
class BlockQueue {
  readonly #reversed: string[];

  constructor(blocks: readonly string[]) {
    this.#reversed = blocks.toReversed();
  }

  /** Returns the next block without removing it. */
  peek(): string | undefined {
    return this.#reversed.at(-1);
  }

  /** Removes the next block. */
  take(): string {
    return this.#reversed.pop() ?? '';
  }

  /** Puts `block` in front of the queue, unless it is empty. */
  putBack(block: string): void {
    if (block !== '') this.#reversed.push(block);
  }
}

/** What the parser is inside of. It decides whether text becomes a paragraph or the text of its list item. */
type BlockContext = 'document' | 'list' | 'loose-list' | 'list-item' | 'quote';

/**
 * Tries to parse the next block of the queue into `parent`, and puts back the parts that belong to other kinds. Returns false if the block
 * is not of the rule's kind.
 */
export type BlockRule = (parent: BlockElement, blocks: BlockQueue, parser: BlockParser) => boolean;

/** Deeper list and quote marks are treated as text, which limits time and stack for hostile input. */
const DEEPEST_NESTING = 40;

/**
 * Parses a text without fences into a tree of blocks. It splits the text at blank lines and offers each block to the rules. CommonMark
 * parsers work differently, and none can be configured to give the same result, but this is how the API's clients expect lists, quotes and
 * paragraphs to begin, nest and end.
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

  /** The innermost context of the text that is being parsed. */
  get context(): BlockContext {
    return this.#contexts.at(-1) ?? 'document';
  }

  /** Whether the text that is being parsed is inside a quotation. */
  get isQuoted(): boolean {
    return this.#contexts.includes('quote');
  }

  /** Whether another list or quote may open inside the current one. */
  get mayNest(): boolean {
    return this.#depth < DEEPEST_NESTING;
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

  /** Parses a text that may contain blank lines. */
  parseText(parent: BlockElement, text: string): void {
    this.parseBlocks(parent, text.split('\n\n'));
  }

  /** Parses one block, whose lines may still be of several kinds. */
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
