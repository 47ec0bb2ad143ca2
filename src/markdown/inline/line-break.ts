import type { InlinePass } from './inline-parser.js';

/** The end of a line, with the blanks behind it where nothing but these parts it from finished HTML. */
const lineEnd = /\n(?:[^\S\n]+(?=\u0002))?/g;

/** Every end of a line within a block is a line break. */
export const parseLineBreaks: InlinePass = (text, inline) => {
  if (!text.includes('\n')) return text;
  return text.replace(lineEnd, inline.stash.put('<br>\n'));
};
