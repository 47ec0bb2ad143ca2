import { appendElement } from './element.js';
import { silenceMentions } from '../inline/mention.js';
import type { BlockRule } from './block-parser.js';

/** The place that a spoiler's fence left in the text: its header and its content are texts of their own. */
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
