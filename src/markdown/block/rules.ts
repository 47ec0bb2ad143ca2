import { parseEmptyBlock } from './empty-block.js';
import { parseListContinuation } from './list-continuation.js';
import { parseIndentedCode } from './indented-code.js';
import { parseHeading } from './heading.js';
import { parseTable } from './table.js';
import { parseRule } from './rule.js';
import { parseBulletList, parseNumberedList } from './list.js';
import { parseQuote } from './quote.js';
import { parseSpoiler } from './spoiler.js';
import { parseParagraph } from './paragraph.js';
import type { BlockRule } from './block-parser.js';

/** In order of precedence: each block is offered to each rule in turn, and the last one takes everything. */
export const blockRules: readonly BlockRule[] = [
  parseEmptyBlock,
  parseListContinuation,
  parseIndentedCode,
  parseHeading,
  parseTable,
  parseRule,
  parseNumberedList,
  parseBulletList,
  parseQuote,
  parseSpoiler,
  parseParagraph,
];
