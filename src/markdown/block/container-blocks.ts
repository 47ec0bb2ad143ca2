import { silenceMentions } from '../inline/mention.js';
import type { BlockRule } from './block-parser.js';
import { appendElement } from './element.js';

const quoteMark = /^ {0,3}> ?/;
const emptyQuoteLine = /^(?: {0,3}>\s*)?$/;

/** Every line is examined separately at every depth, which costs as much as rendering this many characters. */
const LINE_STEPS = 10;

/** A quotation: from the first line that begins with `>` to the end of the block, including lines without the mark. */
export const parseQuote: BlockRule = (parent, blocks, parser) => {
  const block = blocks.peek() ?? '';
  if (!block.includes('>') || !parser.mayNest) return false;
  const lines = block.split('\n');
  parser.budget.spend(block.length + lines.length * LINE_STEPS);
  const first = lines.findIndex((line) => quoteMark.test(line));
  const last = lines.findLastIndex((line) => !emptyQuoteLine.test(line));
  if (first === -1 || last < first) return false;
  blocks.take();
  if (first > 0) parser.parseBlock(parent, lines.slice(0, first).join('\n'));
  const quote = appendElement(parent, 'blockquote');
  const quoted = lines.slice(first).map(quotedLine).join('\n');
  parser.within('quote', () => parser.parseText(quote, quoted));
  return true;
};

function quotedLine(line: string): string {
  return line.trim() === '>' ? '' : silenceMentions(line.replace(quoteMark, ''));
}

/** Replaces the placeholder of a spoiler by its header and content, which are parsed as texts of their own. */
export const parseSpoiler: BlockRule = (parent, blocks, parser) => {
  const spoiler = parser.fences.spoilerAt(blocks.peek() ?? '');
  if (spoiler === undefined || !parser.mayNest) return false;
  blocks.take();
  const element = appendElement(parent, 'spoiler');
  const texts = [spoiler.header, spoiler.content].map(parser.isQuoted ? silenceMentions : String);
  parser.within('document', () => {
    for (const text of texts) parser.parseText(appendElement(element, 'section'), text);
  });
  return true;
};
