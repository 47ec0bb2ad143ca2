import {
  parseEmptyBlock,
  parseIndentedCode,
  parseHeading,
  parseRule,
  parseParagraph,
} from './leaf-blocks.js';
import { parseListContinuation } from './list-continuation.js';
import { parseTable } from './table.js';
import { parseBulletList, parseNumberedList } from './list.js';
import { parseQuote, parseSpoiler } from './container-blocks.js';
import type { BlockRule } from './block-parser.js';

/** In order of precedence: a block is offered to each rule in turn, and the last one accepts everything. */
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
