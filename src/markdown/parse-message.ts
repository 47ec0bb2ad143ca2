import { BlockParser } from './block/block-parser.js';
import { blockRules } from './block/rules.js';
import type { BlockElement } from './block/element.js';
import { Fences } from './block/fences.js';
import { separateHangingLists } from './block/hanging-lists.js';
import { normalizeBlanks, splitSource } from './block/source-lines.js';
import { Formulas } from './formulas.js';
import { InlineParser } from './inline/inline-parser.js';
import { inlinePasses } from './inline/passes.js';
import { parseTexts, type BlockLink } from './parse-texts.js';
import type { ReferenceSource } from './references.js';
import { RenderBudget } from './render-budget.js';
import { Stash } from './stash.js';

/** A parsed text. Its HTML is in the stash. */
export interface ParsedMessage {
  readonly root: BlockElement;
  readonly links: readonly BlockLink[];
  readonly stash: Stash;
}

/**
 * Parses a text with the names that `references` knows.
 *
 * @throws ApplicationError `unrenderableText` when it exceeds the budget
 */
export function parseMessage(
  content: string,
  references: ReferenceSource,
  budget = new RenderBudget(),
): ParsedMessage {
  const stash = new Stash(budget);
  const formulas = new Formulas(stash);
  const fences = new Fences(stash, formulas, references.codeLanguage);
  const root = new BlockParser(blockRules, { fences, budget }).parseDocument(withoutFences(content, fences));
  const links = parseTexts(root, new InlineParser(inlinePasses, { references, stash, formulas, budget }));
  return { root, links, stash };
}

function withoutFences(content: string, fences: Fences): string {
  const lines = separateHangingLists(splitSource(content)).map(normalizeBlanks);
  const fenced = lines.some((line) => line.startsWith('```') || line.startsWith('~~~'));
  // An unclosed fence extends to the end of the text, including two empty lines.
  return (fenced ? fences.takeOut([...lines, '', '']) : lines).join('\n');
}
