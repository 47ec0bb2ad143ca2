import { emojiCode, emojiHtml } from '../emoji.js';
import type { InlinePass } from './inline-parser.js';

const namesByEmoticon: Readonly<Record<string, string>> = {
  ':)': 'smile',
  '(:': 'smile',
  ':(': 'frown',
  '<3': 'heart',
  ':|': 'neutral',
  ':/': 'confused',
  ';)': 'wink',
  ':D': 'grinning',
  ':o': 'open_mouth',
  ':O': 'open_mouth',
  ':p': 'stuck_out_tongue',
  ':P': 'stuck_out_tongue',
};

/** An emoticon stands alone: between blanks, brackets, quotation marks and the like. */
const emoticon = /(?<![^,.;?!()[\] "'\n\t])(?::[()|/DoOpP]|\(:|<3|;\))(?![^,.;?!()[\] "'\n\t])/g;

/** `:)` and its like, for senders who want it. */
export const parseEmoticons: InlinePass = (text, inline) => {
  if (!inline.references.translateEmoticons) return text;
  return text.replace(emoticon, (source) => {
    const name = namesByEmoticon[source] ?? '';
    const code = emojiCode(name);
    return code === undefined ? source : inline.stash.put(emojiHtml(code, name));
  });
};
