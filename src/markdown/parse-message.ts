import { BlockParser, type BlockRule } from './block/block-parser.js';
import { parseQuote, parseSpoiler } from './block/container-blocks.js';
import type { BlockElement } from './block/element.js';
import { Fences } from './block/fences.js';
import { normalizeBlanks, separateHangingLists, splitSource } from './block/source-lines.js';
import {
  parseEmptyBlock,
  parseHeading,
  parseIndentedCode,
  parseParagraph,
  parseRule,
} from './block/leaf-blocks.js';
import { parseBulletList, parseNumberedList } from './block/list.js';
import { parseListContinuation } from './block/list-continuation.js';
import { parseTable } from './block/table.js';
import { Formulas } from './formulas.js';
import { parseBareLinks } from './inline/bare-link.js';
import { parseChannelLinks, parseMessageLinks, parseTopicLinks } from './inline/channel-link.js';
import { parseEmojiNames, parseEmoticons, parseUnicodeEmoji } from './inline/emoji.js';
import { parseEmphasis, parseStrikethrough, parseStrong, parseStrongEmphasis } from './inline/emphasis.js';
import { InlineParser, type InlinePass } from './inline/inline-parser.js';
import { parseLinks } from './inline/link.js';
import { parseLinkifiedTexts } from './inline/linkifier.js';
import { parseGroupMentions, parseUserMentions } from './inline/mention.js';
import { parseTimes } from './inline/time.js';
import { parseCode, parseFormulas, parseLineBreaks } from './inline/verbatim.js';
import { parseTexts, type BlockLink } from './parse-texts.js';
import type { ReferenceSource } from './references.js';
import { RenderBudget } from './render-budget.js';
import { Stash } from './stash.js';

/** In order of precedence: a block is offered to each rule in turn, and the last one accepts everything. */
const blockRules: readonly BlockRule[] = [
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

/**
 * In order of precedence. Each pass sees what earlier ones left, so code hides mentions and a link hides stars. The API's clients expect
 * this order instead of the order of characters in the text.
 */
const inlinePasses: readonly InlinePass[] = [
  parseCode,
  parseStrongEmphasis,
  parseUserMentions,
  parseFormulas,
  parseMessageLinks,
  parseTopicLinks,
  parseChannelLinks,
  parseTimes,
  parseGroupMentions,
  parseLinks,
  parseBareLinks,
  parseLinkifiedTexts,
  parseStrong,
  parseEmphasis,
  parseStrikethrough,
  parseEmojiNames,
  parseEmoticons,
  parseUnicodeEmoji,
  parseLineBreaks,
];

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
