import type { InlinePass } from './inline-parser.js';

/** Every end of a line within a block is a line break. */
export const parseLineBreaks: InlinePass = (text, inline) => {
  if (!text.includes('\n')) return text;
  return text.replaceAll('\n', inline.stash.put('<br>\n'));
};
